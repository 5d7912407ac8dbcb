// What the engine does between XBoard's lines: it thinks, ponders, analyses, and keeps the order of its answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>

#include "engine/protocol/xboard.h"
#include "tests/support/conversation.h"
#include "tests/support/rules_testing.h"
#include "tests/support/xboard_talk.h"

namespace farrier {
namespace {

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

TEST(Xboard, MatesAreScoredInMoves) {
  Talk talk;
  const Lines lines = talk.say({"setboard 7k/5ppp/8/8/8/8/8/R6K w - - 0 1", "post", "go"});
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find(" 100001 ") != std::string::npos;
  }));
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

}  // namespace
}  // namespace farrier
