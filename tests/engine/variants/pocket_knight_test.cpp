// Pocket Knight, sentence by sentence: one knight for each side, dropped once, never regained.
#include "engine/variants/pocket_knight.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

Board pk(std::string_view fen) { return board_from<PocketKnight>(fen); }
bool legal(std::string_view fen, std::string_view move) { return can_play<PocketKnight>(pk(fen), move); }
std::string fen_after(std::string_view fen, std::string_view moves) {
  return to_fen<PocketKnight>(board_after<PocketKnight>(pk(fen), moves));
}
int drops(const Board& board) {
  int count = 0;
  for (Move move : legal_moves<PocketKnight>(board)) count += move.is_drop();
  return count;
}
std::optional<Termination> end_after(std::string_view fen, std::string_view moves) {
  Game<PocketKnight> game(pk(fen));
  play_all(game, moves);
  const auto outcome = game.outcome();
  return outcome ? std::optional(outcome->termination) : std::nullopt;
}

TEST(PocketKnight, EachSideStartsWithOneKnightInItsPocket) {
  const Board board = start_board<PocketKnight>();
  EXPECT_EQ(board.in_hand(Color::White, PieceType::Knight), 1);
  EXPECT_EQ(board.in_hand(Color::Black, PieceType::Knight), 1);
  EXPECT_EQ(legal_moves<PocketKnight>(board).size(), 20U + 32U);
}

TEST(PocketKnight, TheKnightIsDroppedOnAnyEmptySquareAndOnNoOther) {
  EXPECT_EQ(drops(pk("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")), 62);
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@a1"));
  EXPECT_TRUE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@h8"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@e8"));
}

TEST(PocketKnight, ADropCountsAsAFullMove) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/8/4K3[Nn] w - - 4 9", "N@f3"), "4k3/8/8/8/8/5N2/8/4K3[n] b - - 0 9");
}

TEST(PocketKnight, EachSideDropsOnlyOnce) {
  const Board board = board_after<PocketKnight>(start_board<PocketKnight>(), "N@e4 N@e5");
  EXPECT_TRUE(board.hands_empty());
  EXPECT_EQ(drops(board), 0);
  EXPECT_EQ(drops(board_after<PocketKnight>(board, "a2a3")), 0);
}

TEST(PocketKnight, AKnightThatWasCapturedNeverReturnsToAPocket) {
  const std::string fen = fen_after(PocketKnight::kStartFen, "N@e4 d7d5 a2a3 d5e4 b2b3");
  EXPECT_EQ(fen, "rnbqkbnr/ppp1pppp/8/8/4p3/PP6/2PPPPPP/RNBQKBNR[n] b KQkq - 0 3");
  EXPECT_EQ(fen_after(fen, "N@d5 e2e3"), "rnbqkbnr/ppp1pppp/8/3n4/4p3/PP2P3/2PP1PPP/RNBQKBNR[] b KQkq - 0 4");
}

TEST(PocketKnight, CapturedMenLeaveTheGame) {
  EXPECT_EQ(fen_after("4k3/8/8/3n4/4P3/8/8/4K3[Nn] w - - 0 1", "e4d5"),
            "4k3/8/8/3P4/8/8/8/4K3[Nn] b - - 0 1");
}

TEST(PocketKnight, ADropMayGiveCheckBlockACheckAndMate) {
  EXPECT_TRUE(
      is_check<PocketKnight>(board_after<PocketKnight>(pk("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"), "N@f6")));
  EXPECT_EQ(drops(pk("R5k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1")), 5);
  EXPECT_EQ(end_after("6k1/5ppp/8/8/8/8/8/R5K1[n] w - - 0 1", "a1a8"), std::nullopt);
  EXPECT_EQ(end_after("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), Termination::Checkmate);
}

TEST(PocketKnight, ASideThatHoldsItsKnightIsNotStalemated) {
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[] b - - 0 1", ""), Termination::Stalemate);
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[n] b - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("k7/8/1Q6/8/8/8/8/7K[N] b - - 0 1", ""), Termination::Stalemate);
}

TEST(PocketKnight, TheOtherRulesAreThoseOfChess) {
  EXPECT_EQ(fen_after("r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1", "e1g1 e8c8"),
            "2kr3r/8/8/8/8/8/8/R4RK1[] w - - 2 2");
  EXPECT_EQ(fen_after("4k3/4p3/8/3P4/8/8/8/4K3[Nn] b - - 0 1", "e7e5 d5e6"),
            "4k3/8/4P3/8/8/8/8/4K3[Nn] b - - 0 2");
  EXPECT_EQ(fen_after("8/4P1k1/8/8/8/8/8/4K3[N] w - - 0 1", "e7e8n"), "4N3/6k1/8/8/8/8/8/4K3[N] b - - 0 1");
}

TEST(PocketKnight, APocketMakesAnotherPosition) {
  const Board with = pk("4k3/8/8/8/8/8/8/R3K3[N] w - - 0 1");
  const Board without = pk("4k3/8/8/8/8/8/8/R3K3[] w - - 0 1");
  const Board others = pk("4k3/8/8/8/8/8/8/R3K3[n] w - - 0 1");
  EXPECT_NE(with.key, without.key);
  EXPECT_NE(with.key, others.key);
}

TEST(PocketKnight, PocketKnightsCountAsIfTheyStoodOnTheBoard) {
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", ""), Termination::DeadPosition);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3NK3[N] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3BK3[n] w - - 0 1", ""), std::nullopt);
  EXPECT_EQ(end_after("4k3/8/8/8/8/8/8/3BK3[] w - - 0 1", ""), Termination::DeadPosition);
}

}  // namespace
}  // namespace farrier
