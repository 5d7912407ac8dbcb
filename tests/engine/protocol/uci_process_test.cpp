// The engine as a GUI runs it: a process that is stopped, set pondering and played with while it thinks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/rules_testing.h"
#include "tests/support/uci_process.h"

namespace farrier {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class UciProgram : public testing::Test {
 protected:
  UciProcess engine{std::string(FARRIER_BIN_DIR) + "/farrier"};

  /// The lines up to the answer to `isready`, which is left out.
  std::vector<std::string> lines_until_ready() {
    engine.send("isready");
    std::vector<std::string> lines;
    for (std::string line = engine.read_line(); line != "readyok"; line = engine.read_line())
      lines.push_back(line);
    return lines;
  }
  std::vector<std::string> lines_until_best_move() {
    std::vector<std::string> lines;
    do lines.push_back(engine.read_line());
    while (!lines.back().starts_with("bestmove "));
    return lines;
  }
  static bool tells_best_move(const std::vector<std::string>& lines) {
    return std::any_of(lines.begin(), lines.end(),
                       [](const auto& line) { return line.starts_with("bestmove"); });
  }
};

TEST_F(UciProgram, AnswersIsreadyWhileItThinks) {
  engine.send("position startpos\ngo infinite");
  EXPECT_FALSE(tells_best_move(lines_until_ready()));
  engine.send("stop");
  EXPECT_TRUE(tells_best_move(lines_until_best_move()));
}

TEST_F(UciProgram, GivesNoBestMoveBeforeStopWhileInfinite) {
  // Mate in one, and no move at all: both searches end by themselves at once.
  for (const std::string fen : {"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"}) {
    engine.send("position fen " + fen + "\ngo infinite depth 2");
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_FALSE(tells_best_move(lines_until_ready())) << fen;
    engine.send("stop");
    lines_until_best_move();
    EXPECT_FALSE(tells_best_move(lines_until_ready())) << fen;  // one for each go
  }
}

TEST_F(UciProgram, PondersUntilTheExpectedMoveIsPlayed) {
  engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 300 btime 300");
  std::this_thread::sleep_for(milliseconds(500));  // more than the clock holds
  EXPECT_FALSE(tells_best_move(lines_until_ready()));
  engine.send("ponderhit");
  EXPECT_TRUE(tells_best_move(lines_until_best_move()));
  EXPECT_FALSE(tells_best_move(lines_until_ready()));
}

TEST_F(UciProgram, StopEndsPonderingWithABestMove) {
  engine.send("position startpos moves e2e4 e7e5\ngo ponder depth 1");
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(tells_best_move(lines_until_ready()));
  engine.send("stop");
  EXPECT_TRUE(tells_best_move(lines_until_best_move()));
}

TEST_F(UciProgram, StopIsAnsweredWithinTwentyMilliseconds) {
  std::vector<steady_clock::duration> delays;
  for (const std::string variant : {"chess", "crazyhouse", "knightmate", "pocketknight"})
    for (int i = 0; i < 5; ++i) {
      engine.send("setoption name UCI_Variant value " + variant + "\nposition startpos\ngo infinite");
      std::this_thread::sleep_for(milliseconds(20));
      const auto sent = steady_clock::now();
      engine.send("stop");
      lines_until_best_move();
      delays.push_back(steady_clock::now() - sent);
    }
  std::sort(delays.begin(), delays.end());
  // The median: on a busy machine the process itself may have to wait for its turn.
  EXPECT_LT(delays[delays.size() / 2], milliseconds(20));
}

TEST_F(UciProgram, StopEndsACountOfPaths) {
  engine.send("position startpos\ngo perft 12");
  std::this_thread::sleep_for(milliseconds(50));
  engine.send("stop");
  const auto lines = lines_until_ready();  // hangs, and so fails by its time limit, if the count goes on
  EXPECT_TRUE(std::none_of(lines.begin(), lines.end(), [](const auto& l) { return l.starts_with("Nodes"); }));
}

TEST_F(UciProgram, AStopWithoutASearchSaysNothing) {
  engine.send("stop\nponderhit\nstop");
  EXPECT_TRUE(lines_until_ready().size() <= 1);  // the evaluation's name at most
}

TEST_F(UciProgram, TellsTheRootMoveAfterSomeSeconds) {
  engine.send("position startpos\ngo infinite");
  // How soon it comes to the next root move is the machine's affair.
  std::string line;
  do line = engine.read_line();
  while (line.find(" currmove ") == std::string::npos);
  EXPECT_NE(line.find(" currmovenumber "), std::string::npos) << line;
  engine.send("stop");
  EXPECT_TRUE(tells_best_move(lines_until_best_move()));
}

TEST_F(UciProgram, EveryGoHasOneBestMoveWhateverInterruptsIt) {
  const std::vector<std::string> interruptions{"stop",       "position startpos moves d2d4",
                                               "ucinewgame", "setoption name Hash value 2",
                                               "go depth 2", "setoption name UCI_Variant value crazyhouse",
                                               "eval"};
  int searches = 0, best_moves = 0;
  for (int round = 0; round < 3; ++round)
    for (const std::string& interruption : interruptions) {
      engine.send("position startpos\ngo infinite\n" + interruption + "\nstop");
      searches += interruption.starts_with("go") ? 2 : 1;
      const auto lines = lines_until_ready();
      best_moves += static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                                   [](const auto& l) { return l.starts_with("bestmove "); }));
    }
  EXPECT_EQ(best_moves, searches);
}

/// A whole game against itself; every move, every line and every move to ponder on must be legal.
template <VariantRules R>
class UciGame : public testing::Test {};
TYPED_TEST_SUITE(UciGame, AllRules, RulesName);

template <VariantRules R>
void expect_legal_line(Board board, const std::string& moves, const std::string& origin) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    const Result<Move> move = parse_uci_move<R>(board, word);
    ASSERT_TRUE(move.ok()) << word << " in: " << origin;
    ASSERT_EQ(to_uci(*move), word) << "not canonical";
    make_move<R>(board, *move);
  }
}

TYPED_TEST(UciGame, EveryMoveLineAndReplyOfAWholeGameIsLegal) {
  using R = TypeParam;
  UciProcess engine(std::string(FARRIER_BIN_DIR) + "/farrier");
  engine.send("setoption name UCI_Variant value " + std::string(R::kUciName) +
              "\nsetoption name MultiPV value 2");
  Game<R> game;
  std::string moves;
  while (!game.outcome() && game.plies() < 300) {
    engine.send("position startpos moves" + moves + "\ngo nodes " +
                std::to_string(game.plies() % 2 == 0 ? 3000 : 500));
    std::string line;
    while (!(line = engine.read_line()).starts_with("bestmove "))
      if (const std::size_t pv = line.find(" pv "); pv != std::string::npos) {
        ASSERT_NO_FATAL_FAILURE(expect_legal_line<R>(game.board(), line.substr(pv + 4), line));
      }
    std::string word, best, ponder;
    std::istringstream(line) >> word >> best >> word >> ponder;
    ASSERT_NO_FATAL_FAILURE(expect_legal_line<R>(game.board(), best + ' ' + ponder, line));
    game.play(*parse_uci_move<R>(game.board(), best));
    moves += ' ' + best;
  }
  EXPECT_GT(game.plies(), 10);
}

}  // namespace
}  // namespace farrier
