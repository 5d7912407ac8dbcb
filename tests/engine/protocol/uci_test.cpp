// The UCI protocol as a GUI or a script meets it: whole conversations over streams.
#include "engine/protocol/uci.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "engine/chess/perft.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

std::vector<std::string> answers(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  run_uci(in, out);
  std::vector<std::string> lines;
  std::istringstream text(out.str());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The last line that begins so; empty if there is none.
std::string last_line(const std::vector<std::string>& lines, std::string_view beginning) {
  const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                  [&](const std::string& line) { return line.starts_with(beginning); });
  return found == lines.rend() ? std::string() : *found;
}

std::string choose(std::string_view variant) {
  return "setoption name UCI_Variant value " + std::string(variant) + "\n";
}

TEST(Uci, TheEngineNamesItsVariantsAndEndsWithUciok) {
  const auto lines = answers("uci\nquit\n");
  EXPECT_NE(last_line(lines, "id name Farrier"), "");
  EXPECT_EQ(last_line(lines, "option name UCI_Variant"),
            "option name UCI_Variant type combo default chess var chess var crazyhouse var knightmate var "
            "pocketknight");
  EXPECT_EQ(lines.back(), "uciok");
}

template <VariantRules R>
class UciOf : public testing::Test {};
TYPED_TEST_SUITE(UciOf, AllRules, RulesName);

TYPED_TEST(UciOf, TheStartPositionIsThatOfTheVariant) {
  EXPECT_EQ(answers(choose(TypeParam::kUciName) + "position startpos\nd\n").back(), TypeParam::kStartFen);
}

TYPED_TEST(UciOf, GoPerftPrintsALinePerMoveAndTheSum) {
  const auto lines = answers(choose(TypeParam::kUciName) + "position startpos\ngo perft 3\n");
  const Board board = start_board<TypeParam>();
  for (auto [move, paths] : perft_divide<TypeParam>(board, 3))
    EXPECT_EQ(last_line(lines, to_uci(move) + ":"), to_uci(move) + ": " + std::to_string(paths));
  EXPECT_EQ(lines.back(), "Nodes searched: " + std::to_string(perft<TypeParam>(board, 3)));
}

TYPED_TEST(UciOf, ASearchEndsWithALegalMoveAndALegalLine) {
  const auto lines = answers(choose(TypeParam::kUciName) + "position startpos moves e2e4\ngo nodes 2000\n");
  Board board = board_after<TypeParam>(start_board<TypeParam>(), "e2e4");
  std::istringstream best(last_line(lines, "bestmove "));
  std::string word, move;
  best >> word >> move;
  EXPECT_TRUE(can_play<TypeParam>(board, move)) << move;
}

TEST(Uci, MovesAfterAPositionArePlayed) {
  EXPECT_EQ(answers(choose("crazyhouse") + "position startpos moves e2e4 d7d5 e4d5 d8d5 P@e4\nd\n").back(),
            "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3");
}

TEST(Uci, AnIllegalMoveIsToldAndThePositionStaysTheLastLegalOne) {
  const auto lines = answers("position startpos moves e2e4 e7e4\nd\n");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "e7e4", last_line(lines, "info string"));
  EXPECT_EQ(lines.back(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

TEST(Uci, WrongInputIsAnsweredWithOneSentenceAndTheEngineGoesOn) {
  const auto told = [](const std::string& line, const std::string& part) {
    const auto lines = answers(line + "\nd\n");
    EXPECT_PRED_FORMAT2(testing::IsSubstring, part, last_line(lines, "info string")) << line;
    EXPECT_EQ(lines.back(), StandardRules::kStartFen) << line;
  };
  told("setoption name UCI_Variant value draughts", "draughts");
  told("setoption name Colour value red", "Colour");
  told("setoption name Hash value many", "many");
  told("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "royal");
  told("position fen", "FEN");
  told("go perft x", "perft");
  told("go perft 0", "perft");
  told("hello", "hello");
}

TEST(Uci, AnEmptyInputEndsTheProgram) { EXPECT_TRUE(answers("").empty()); }

TEST(Uci, StopEndsAnInfiniteSearchWithABestMove) {
  const auto lines = answers("position startpos\ngo infinite\nstop\nisready\nquit\n");
  EXPECT_NE(last_line(lines, "bestmove "), "");
  EXPECT_EQ(lines.back(), "readyok");
}

TEST(Uci, AMatedSideHasNoBestMove) {
  const auto lines = answers("position fen k7/8/8/8/8/8/2r5/K2q4 w - - 0 1\ngo depth 3\n");
  EXPECT_EQ(last_line(lines, "bestmove "), "bestmove (none)");
}

}  // namespace
}  // namespace farrier
