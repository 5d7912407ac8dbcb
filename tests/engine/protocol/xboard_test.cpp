// The XBoard protocol as XBoard meets it: the opening, the game and its moves, answer by answer.
#include "engine/protocol/xboard.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/protocol/uci.h"
#include "tests/support/conversation.h"
#include "tests/support/rules_testing.h"
#include "tests/support/xboard_talk.h"

namespace farrier {
namespace {

TEST(Xboard, FeaturesNameTheVariantsAndEndWithDone) {
  Conversation talk(run_xboard);
  talk.send("xboard");
  EXPECT_EQ(talk.ask("protover 2", "feature variants="),
            "feature variants=\"normal,crazyhouse,knightmate,pocketknight\"");
  EXPECT_NE(talk.expect("feature done=1"), "");
}

TEST(Xboard, OptionsWithACommandOfTheirOwnAreNoFeatures) {
  Conversation talk(run_xboard);
  talk.ask("protover 2", "feature done=1");
  const Lines lines = talk.take_passed();
  EXPECT_TRUE(any_begins(lines, "feature option=\"EvalFile -file "));
  EXPECT_TRUE(any_begins(lines, "feature option=\"MultiPV -spin 1 1 "));
  EXPECT_TRUE(any_begins(lines, "feature option=\"Clear Hash -button\""));
  for (const char* name : {"UCI_", "Hash ", "Threads", "Ponder"})
    EXPECT_FALSE(any_begins(lines, std::string("feature option=\"") + name)) << name;
}

TEST(Xboard, AUciEngineThatIsGreetedByXBoardSpeaksXBoard) {
  Conversation talk(run_uci);
  talk.send("xboard");
  EXPECT_EQ(talk.ask("ping 7", "pong"), "pong 7");
}

TEST(Xboard, AfterNewItPlaysBlack) {
  Talk talk;
  EXPECT_TRUE(can_play<StandardRules>(board_after<StandardRules>(start_board<StandardRules>(), "d2d4"),
                                      talk.move_after({"usermove d2d4"})));
}

TEST(Xboard, GoMakesItPlayTheSideOnMove) {
  Talk talk;
  EXPECT_TRUE(can_play<StandardRules>(start_board<StandardRules>(), talk.move_after({"go"})));
}

TEST(Xboard, InForceModeMovesAreTakenAndNoneIsMade) {
  Talk talk;
  EXPECT_EQ(talk.say({"force", "usermove e2e4", "usermove e7e5"}), Lines{});
  EXPECT_EQ(talk.say({"usermove e4e5"}).size(), 1U);
  EXPECT_EQ(talk.say({"usermove g1f3"}), Lines{});
}

TEST(Xboard, PlayotherMakesItAnswerTheSideOnMove) {
  Talk talk;
  EXPECT_EQ(talk.say({"force", "usermove e2e4", "playother"}), Lines{});
  EXPECT_NE(talk.move_after({"usermove e7e5"}), "");
}

TEST(Xboard, AnIllegalMoveIsNamedWithItsReason) {
  Talk talk;
  for (const char* line : {"usermove e2e5", "e2e5", "usermove xyz"}) {
    const Lines answers = talk.say({line});
    ASSERT_EQ(answers.size(), 1U) << line;
    EXPECT_TRUE(answers[0].starts_with("Illegal move (")) << answers[0];
    EXPECT_TRUE(answers[0].ends_with(std::string("): ") + (answers[0].ends_with("xyz") ? "xyz" : "e2e5")))
        << answers[0];
  }
  EXPECT_NE(talk.move_after({"usermove e2e4"}), "");
}

TEST(Xboard, MovesAreUnderstoodWithoutUsermove) {
  Talk talk;
  EXPECT_NE(talk.move_after({"e2e4"}), "");
}

TEST(Xboard, MovesAreUnderstoodInStandardNotation) {
  Talk talk;
  EXPECT_EQ(talk.say({"force", "usermove e4", "usermove e5", "usermove Nf3", "Nc6", "usermove Bc4",
                      "usermove Bc5", "usermove O-O"}),
            Lines{});
  Talk other("crazyhouse");
  EXPECT_EQ(
      other.say({"force", "setboard 4k3/8/8/8/8/8/8/4K3[Pn] w - - 0 1", "usermove P@e4", "usermove N@c2+"}),
      Lines{});
}

TEST(Xboard, AMoveOutOfTurnIsIllegal) {
  Talk talk;
  // It has to think until the move comes, on a busy machine too.
  const Lines answers = talk.say({"sd 60", "st 1", "go", "usermove e7e5"});
  EXPECT_TRUE(any_begins(answers, "Illegal move (it is not your turn): e7e5"));
}

TEST(Xboard, AnUnknownCommandIsNamed) {
  Talk talk;
  EXPECT_EQ(talk.say({"frobnicate 1 2"}), Lines{"Error (unknown command): frobnicate 1 2"});
  EXPECT_EQ(talk.say({"edit"}), Lines{"Error (unknown command): edit"});
  EXPECT_EQ(talk.say({"variant shatranj"}), Lines{"Error (unsupported variant): variant shatranj"});
}

TEST(Xboard, WhatNeedsNoAnswerGetsNone) {
  Talk talk;
  EXPECT_EQ(talk.say({"accepted ping",
                      "random",
                      "computer",
                      "name Joe",
                      "rating 2000 1900",
                      "ics -",
                      "otim 100",
                      "time 100",
                      "post",
                      "nopost",
                      "hard",
                      "easy",
                      "exit",
                      "?",
                      ".",
                      "draw",
                      "white",
                      "black",
                      "result 1-0 {White resigns}",
                      ""}),
            Lines{});
}

TEST(Xboard, PocketKnightIsSetUpForXBoard) {
  Talk talk("normal");
  EXPECT_EQ(talk.say({"variant pocketknight"}),
            Lines{"setup (PNBRQ...........Kpnbrq...........k) 8x8+2_bughouse "
                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1"});
  EXPECT_EQ(talk.say({"force", "usermove N@e4", "usermove n@e5"}), Lines{});
  EXPECT_EQ(talk.say({"usermove N@e3"}).size(), 1U);
}

TEST(Xboard, KnightmatePawnsBecomeCommoners) {
  Talk talk("knightmate");
  EXPECT_EQ(talk.say({"force", "setboard 2k5/P7/8/8/8/8/8/4K3 w - - 0 1", "usermove a7a8m"}), Lines{});
}

TEST(Xboard, UndoTakesBackOneMoveAndRemoveTwo) {
  Talk talk;
  EXPECT_EQ(talk.say({"force", "usermove e2e4", "undo", "usermove e2e4"}), Lines{});
  talk.move_after({"go"});  // plays black now
  EXPECT_EQ(talk.say({"remove"}), Lines{});
  EXPECT_NE(talk.move_after({"usermove e2e4"}), "");
  EXPECT_EQ(talk.say({"new", "undo"}), Lines{"Error (command not legal now): undo"});
  EXPECT_EQ(talk.say({"remove"}), Lines{"Error (command not legal now): remove"});
}

TEST(Xboard, AnIllegalPositionIsToldToTheUserAndTakesNoMoves) {
  Talk talk;
  EXPECT_TRUE(any_begins(talk.say({"force", "setboard 8/8/8/8/8/8/8/8 w - - 0 1"}),
                         "tellusererror Illegal position"));
  EXPECT_TRUE(any_begins(talk.say({"usermove e2e4"}), "Illegal move"));
  EXPECT_EQ(talk.say({"go"}), Lines{"Error (illegal position): go"});
  EXPECT_EQ(talk.say({"analyze", ".", "hint", "exit"}), Lines{});
  EXPECT_EQ(talk.say({"new", "force", "usermove e2e4"}), Lines{});
}

TEST(Xboard, HoldingsOfAPositionAreRead) {
  Talk talk("crazyhouse");
  EXPECT_EQ(talk.say({"force", "setboard rnbqkb1r/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Pn] w KQkq - 0 4",
                      "usermove P@e4", "usermove n@f6"}),
            Lines{});
}

TEST(Xboard, AMateIsPlayedAndItsResultTold) {
  Talk talk;
  EXPECT_EQ(talk.move_after({"setboard 7k/5ppp/8/8/8/8/8/R6K w - - 0 1", "post", "go"}), "a1a8");
  EXPECT_EQ(talk.expect("1-0"), "1-0 {White mates}");
  EXPECT_EQ(talk.say({"go"}), Lines{"1-0 {White mates}"});
}

TEST(Xboard, TheOpponentsMoveThatEndsTheGameGetsTheResult) {
  Talk talk;
  EXPECT_EQ(talk.say({"setboard 8/8/8/8/8/6k1/4q3/7K b - - 0 1", "force", "playother", "usermove e2f2"}),
            Lines{"1/2-1/2 {Stalemate}"});
  EXPECT_EQ(talk.say({"setboard 8/8/8/8/8/6k1/4q3/7K b - - 0 1", "force", "playother", "usermove e2e1"}),
            Lines{"0-1 {Black mates}"});
}

TEST(Xboard, TheThirdRepetitionEndsTheGame) {
  Talk talk;
  Lines lines{"force"};
  for (int i = 0; i < 2; ++i)
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
      lines.push_back(std::string("usermove ") + move);
  EXPECT_EQ(talk.say(lines), Lines{});
  EXPECT_EQ(talk.say({"go"}), Lines{"1/2-1/2 {Draw by repetition}"});
}

template <VariantRules R>
class XboardOf : public testing::Test {};
TYPED_TEST_SUITE(XboardOf, AllRules, RulesName);

/// Two of them play as XBoard lets them: each move is legal, and both tell the result that the rules tell.
TYPED_TEST(XboardOf, AGameAgainstItselfIsLegalToItsEnd) {
  const std::string variant(TypeParam::kVariant == Variant::Chess ? "normal" : TypeParam::kUciName);
  Talk white(variant), black(variant);
  white.send("sd 3");
  black.send("sd 2");
  white.send("hard");
  Game<TypeParam> game;
  std::string text = white.move_after({"go"});
  while (!game.outcome() && game.plies() < 400) {
    const auto move = parse_uci_move<TypeParam>(game.board(), text);
    ASSERT_TRUE(move) << move.reason() << ' ' << text;
    game.play(*move);
    Talk& next = game.board().side_to_move == Color::White ? white : black;
    if (game.outcome()) {
      const std::string result = game.outcome()->result_white > 0   ? "1-0"
                                 : game.outcome()->result_white < 0 ? "0-1"
                                                                    : "1/2-1/2";
      EXPECT_TRUE(any_begins(next.say({"usermove " + text}), result));
      EXPECT_NE((&next == &white ? black : white).expect(result), "");
    } else {
      text = next.move_after({"usermove " + text});
    }
  }
  EXPECT_GT(game.plies(), 10);
}

}  // namespace
}  // namespace farrier
