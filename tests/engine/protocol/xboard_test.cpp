// The XBoard protocol as XBoard meets it: whole conversations, answer by answer.
#include "engine/protocol/xboard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "engine/protocol/uci.h"
#include "engine/protocol/xboard_text.h"
#include "tests/support/conversation.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

/// A conversation past its opening; moves are found at a small depth, so that nothing waits for a clock.
class Talk : public Conversation {
 public:
  explicit Talk(std::string_view variant = "normal") : Conversation(run_xboard) {
    send("xboard");
    ask("protover 2", "feature done=1");
    send("new");
    send("variant " + std::string(variant));
    send("sd 4");
    settle();
  }

  /// All that was asked for is done; returns what was said meanwhile.
  std::vector<std::string> settle() {
    take_passed();
    const std::string number = std::to_string(++pings_);
    EXPECT_EQ(ask("ping " + number, "pong"), "pong " + number);
    return take_passed();
  }
  /// What is said to these lines, once they are done.
  std::vector<std::string> say(const std::vector<std::string>& lines) {
    settle();
    for (const std::string& line : lines) send(line);
    auto answers = settle();
    answers.pop_back();                                                              // the pong
    std::erase_if(answers, [](const std::string& line) { return line[0] == '#'; });  // comments
    return answers;
  }
  /// The engine's own move in answer to these lines.
  std::string move_after(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) send(line);
    const std::string line = expect("move ");
    return line.empty() ? line : line.substr(5);
  }

 private:
  int pings_ = 0;
};

using Lines = std::vector<std::string>;

bool any_begins(const Lines& lines, std::string_view beginning) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.starts_with(beginning); });
}

bool is_thinking_line(const std::string& line) {
  std::istringstream words(line);
  long depth = 0, score = 0, time = 0, nodes = 0;
  return static_cast<bool>(words >> depth >> score >> time >> nodes);
}
bool any_thinks(const Lines& lines) { return std::any_of(lines.begin(), lines.end(), is_thinking_line); }

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
  const Lines answers = talk.say({"go", "usermove e7e5"});
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

TEST(Xboard, QuestionMarkMakesItMoveNow) {
  Talk talk;
  talk.say({"new", "level 0 60 0"});
  const auto start = std::chrono::steady_clock::now();
  talk.send("go");
  EXPECT_NE(talk.ask("?", "move "), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Xboard, APingIsAnsweredAfterTheMoveInWork) {
  Talk talk;
  talk.settle();
  talk.send("go");
  EXPECT_EQ(talk.ask("ping 77", "pong"), "pong 77");
  EXPECT_TRUE(any_begins(talk.take_passed(), "move "));
}

TEST(Xboard, ForceHoldsTheMoveBack) {
  Talk talk;
  const Lines answers = talk.say({"new", "level 0 60 0", "go", "force"});
  EXPECT_FALSE(any_begins(answers, "move "));
  EXPECT_EQ(talk.say({"usermove e2e4"}), Lines{});
}

TEST(Xboard, AClockAtZeroOrBelowStillGetsAMove) {
  Talk talk;
  EXPECT_NE(talk.move_after({"new", "level 0 1 0", "time 0", "otim 500", "usermove e2e4"}), "");
  EXPECT_NE(talk.move_after({"time -300", "usermove a2a3"}), "");
  EXPECT_NE(talk.move_after({"st 0", "usermove h2h3"}), "");
}

TEST(Xboard, WrongLimitsAreNamed) {
  Talk talk;
  for (const char* line :
       {"level 40", "level x 5 0", "st", "st fast", "sd 0", "sd x", "time x", "memory x", "cores x"})
    EXPECT_TRUE(any_begins(talk.say({line}), "Error (")) << line;
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

TEST(Xboard, MatesAreScoredInMoves) {
  Talk talk;
  const Lines lines = talk.say({"setboard 7k/5ppp/8/8/8/8/8/R6K w - - 0 1", "post", "go"});
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find(" 100001 ") != std::string::npos;
  }));
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

TEST(Xboard, ThinkingIsShownFromPostToNopost) {
  Talk talk;
  EXPECT_TRUE(any_thinks(talk.say({"post", "usermove e2e4"})));
  EXPECT_FALSE(any_thinks(talk.say({"nopost", "usermove a2a3"})));
}

TEST(Xboard, AnalysisShowsLinesAndMakesNoMove) {
  Talk talk;
  talk.say({"post"});
  talk.send("analyze");
  EXPECT_TRUE(is_thinking_line(talk.expect("3 ")));
  EXPECT_EQ(talk.ask(".", "stat01:").substr(0, 7), "stat01:");
  const Lines answers = talk.say({"exit"});
  EXPECT_FALSE(any_begins(answers, "move "));
  EXPECT_FALSE(any_thinks(talk.say({"usermove e2e4"})));
}

TEST(Xboard, AnalysisFollowsTheGame) {
  Talk talk;
  const auto thinks_of_a_move_of = [&](const Board& board) {
    talk.settle();  // what comes after is of the present position
    std::istringstream words(talk.expect(""));
    std::string word;
    for (int i = 0; i < 5; ++i) words >> word;
    EXPECT_TRUE(can_play<StandardRules>(board, word)) << word;
  };
  const Board start = start_board<StandardRules>();
  talk.say({"post", "analyze"});
  thinks_of_a_move_of(start);
  talk.send("usermove e2e4");
  thinks_of_a_move_of(board_after<StandardRules>(start, "e2e4"));
  talk.send("undo");
  thinks_of_a_move_of(start);
  talk.send("setboard k7/8/8/8/8/8/8/K6R b - - 0 1");
  thinks_of_a_move_of(board_from<StandardRules>("k7/8/8/8/8/8/8/K6R b - - 0 1"));
  talk.send("new");
  thinks_of_a_move_of(start);
}

TEST(Xboard, APingDuringAnalysisIsAnsweredAtOnce) {
  Talk talk;
  talk.say({"analyze"});
  EXPECT_EQ(talk.ask("ping 9", "pong"), "pong 9");
}

TEST(Xboard, AHintIsALegalMove) {
  Talk talk;
  talk.say({"post"});
  const std::string hint = talk.ask("hint", "Hint: ");
  EXPECT_TRUE(can_play<StandardRules>(start_board<StandardRules>(), hint.substr(6))) << hint;
  EXPECT_EQ(talk.ask("bk", " "), " There is no book.");
}

TEST(Xboard, PonderingAnswersTheExpectedMoveAndAnyOther) {
  Talk talk;
  talk.say({"post", "hard"});
  const std::string own = talk.move_after({"usermove e2e4"});
  const std::string hint = talk.expect("Hint: ").substr(6);
  Board board = board_after<StandardRules>(start_board<StandardRules>(), "e2e4 " + own);
  EXPECT_TRUE(can_play<StandardRules>(board, hint));
  const std::string answer = talk.move_after({"usermove " + hint});
  board = board_after<StandardRules>(board, hint);
  EXPECT_TRUE(can_play<StandardRules>(board, answer)) << answer;
  board = board_after<StandardRules>(board, answer);

  const std::string next_hint = talk.expect("Hint: ").substr(6);
  const auto moves = legal_texts<StandardRules>(board);
  const std::string other = moves[0] == next_hint ? moves[1] : moves[0];
  EXPECT_TRUE(any_begins(talk.say({"usermove e1e8"}), "Illegal move"));
  const std::string last = talk.move_after({"usermove " + other});
  EXPECT_TRUE(can_play<StandardRules>(board_after<StandardRules>(board, other), last)) << last;
}

TEST(Xboard, NoMoveIsMadeWhilePondering) {
  Talk talk;
  talk.say({"hard"});
  talk.move_after({"usermove e2e4"});
  EXPECT_EQ(talk.say({"time 100", "otim 100"}), Lines{});
  EXPECT_EQ(talk.say({"force", "usermove a2a3"}), Lines{});  // white's turn, whatever was pondered on
}

TEST(Xboard, ADrawIsTakenInABadPositionAndNotInAGoodOne) {
  Talk talk;
  talk.move_after({"setboard 4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "go"});
  EXPECT_EQ(talk.say({"draw"}), Lines{"offer draw"});
  talk.move_after({"force", "setboard 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "go"});
  EXPECT_EQ(talk.say({"draw"}), Lines{});
}

TEST(Xboard, OptionsAreSetByName) {
  Talk talk;
  EXPECT_EQ(talk.say({"option MultiPV=2", "memory 24", "cores 1", "option EvalFile=material"}).size(), 0U);
  EXPECT_TRUE(any_begins(talk.say({"option Colour=red"}), "Error ("));
  EXPECT_TRUE(any_begins(talk.say({"option MultiPV=many"}), "Error ("));
  const Lines lines = talk.say({"post", "go"});
  const auto deep = std::count_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.starts_with("4 "); });
  EXPECT_EQ(deep, 2);
}

TEST(Xboard, AnOptionSetWhileThinkingWaitsForTheMove) {
  Talk talk;
  const Lines lines = talk.say({"go", "option Colour=red"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("move "));
  EXPECT_TRUE(lines[1].starts_with("Error ("));
}

TEST(Xboard, MessagesAreSilentWhereDebugIsRejected) {
  Conversation talk(run_xboard);
  talk.ask("protover 2", "feature done=1");
  talk.send("rejected debug");
  talk.take_passed();
  talk.ask("ping 1", "pong");
  EXPECT_FALSE(any_begins(talk.take_passed(), "#"));
}

TEST(Xboard, QuitAndTheEndOfInputEndASearch) {
  for (const char* end : {"quit\n", ""}) {
    std::istringstream in(std::string("new\nlevel 0 60 0\ngo\n") + end);
    std::ostringstream out;
    const auto start = std::chrono::steady_clock::now();
    run_xboard(in, out);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_EQ(out.str().find("move "), std::string::npos);
  }
}

/// A line as a GUI might send it, or one like it that no GUI sends.
std::string hostile_line(Rng& rng) {
  static const Lines kCheap{"usermove", "usermove", "",         "undo",      "remove", "force",
                            "result",   "go",       "go",       "playother", "exit",   "?",
                            ".",        "bk",       "draw",     "level",     "st",     "sd",
                            "time",     "otim",     "post",     "nopost",    "hard",   "easy",
                            "accepted", "rejected", "protover", "xboard",    "edit",   "white"};
  // These clear tables, load nets or search.
  static const Lines kDear{"new", "variant", "setboard", "analyze", "hint", "option", "cores 2", "memory 10"};
  static const Lines kArguments{"",
                                "0",
                                "1",
                                "2",
                                "-1",
                                "40 5 0",
                                "0 0:01 0.01",
                                "0 0 0",
                                "99999999999999999999",
                                "nan",
                                "1e400 : -",
                                "e2e4",
                                "e7e5",
                                "g1f3",
                                "b8c6",
                                "f1c4",
                                "f8c5",
                                "e1g1",
                                "e8g8",
                                "d2d4",
                                "e5d4",
                                "N@e4",
                                "P@e9",
                                "a7a8q",
                                "a7a8",
                                "Nxe5",
                                "O-O-O",
                                "=Q",
                                "@@@@",
                                "crazyhouse",
                                "knightmate",
                                "pocketknight",
                                "normal",
                                "MultiPV=3",
                                "Clear Hash",
                                "EvalFile=/",
                                "=",
                                "1-0 {White mates}",
                                "8/8/8/8/8/8/8/8 w - - 0 1",
                                "7k/8/8/8/8/8/8/K6R[Qq] w - - 0 1",
                                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1",
                                "k7/P7/8/8/8/8/8/K7 w - - 99 1"};
  const auto one_of = [&](const Lines& lines) {
    return lines[rng.below(static_cast<std::uint32_t>(lines.size()))];
  };
  std::string line = one_of(rng.below(16) == 0 ? kDear : kCheap);
  for (std::uint32_t i = rng.below(8) == 0 ? 3 : 1; i > 0; --i) line += ' ' + one_of(kArguments);
  if (rng.below(4) != 0 || line.starts_with("cores") || line.starts_with("memory")) return line;
  for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) {
    const std::size_t at = rng.below(static_cast<std::uint32_t>(line.size()));
    switch (rng.below(4)) {
      case 0:
        line.erase(at, 1 + rng.below(4));
        break;
      case 1:
        line.insert(at, 1, static_cast<char>(rng.below(256)));
        break;
      case 2:
        line.insert(at, line.substr(0, at));
        break;
      default:
        line[at] = static_cast<char>(rng.below(256));
    }
    if (line.empty()) break;
  }
  std::replace(line.begin(), line.end(), '\n', ' ');
  return split_line(line).command == "quit" ? "" : line;
}

TEST(Xboard, AfterAHundredThousandHostileLinesItStillAnswersEveryPing) {
  Rng rng(derive_seed(20'261'130, 0, 0));
  std::string text = "memory 9\n";  // small tables are cleared fast
  int pings = 0;
  for (int i = 0; i < 100'000; ++i) {
    text += hostile_line(rng) + '\n';
    if (i % 500 == 499) text += "force\nping " + std::to_string(++pings) + '\n';
  }
  std::istringstream in(text);
  std::ostringstream out;
  run_xboard(in, out);
  std::istringstream answers(out.str());
  int pongs = 0, moves = 0;
  for (std::string line; std::getline(answers, line);) {
    if (line == "pong " + std::to_string(pongs + 1)) ++pongs;
    if (line.starts_with("move ")) ++moves;
  }
  EXPECT_EQ(pongs, pings);
  EXPECT_GT(moves, 100);  // it was not refusals alone
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
