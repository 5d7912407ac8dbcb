// Orthodox chess, the parent of all variants: castling, en passant, promotion.
#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

Board chess(std::string_view fen) { return board_from<StandardRules>(fen); }
bool legal(std::string_view fen, std::string_view move) { return can_play<StandardRules>(chess(fen), move); }
std::string fen_after(std::string_view fen, std::string_view moves) {
  return to_fen<StandardRules>(board_after<StandardRules>(chess(fen), moves));
}

TEST(Chess, TheStartPositionHasTwentyMoves) {
  EXPECT_EQ(legal_moves<StandardRules>(start_board<StandardRules>()).size(), 20U);
}

TEST(Chess, CastlingMovesKingAndRook) {
  const char* fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 10";
  EXPECT_EQ(fen_after(fen, "e1g1"), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 10");
  EXPECT_EQ(fen_after(fen, "e1c1"), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 4 10");
  EXPECT_EQ(fen_after(fen, "e1g1 e8c8"), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 5 11");
}

TEST(Chess, CastlingIsNotAllowedOutOfThroughOrIntoCheck) {
  EXPECT_FALSE(legal("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
  EXPECT_FALSE(legal("5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
  EXPECT_FALSE(legal("k5r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
  EXPECT_TRUE(legal("k6r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
}

TEST(Chess, OnTheLongSideOnlyTheKingsSquaresMustBeUnattacked) {
  EXPECT_TRUE(legal("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
}

TEST(Chess, CastlingNeedsEveryFieldBetweenToBeEmpty) {
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/R1b1K3 w Q - 0 1", "e1c1"));
  EXPECT_FALSE(legal("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1g1"));
}

TEST(Chess, KingAndRookMovesAndTheRooksCaptureEndTheRights) {
  const char* fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  EXPECT_EQ(board_after<StandardRules>(chess(fen), "e1e2").castling, kBlackShort | kBlackLong);
  EXPECT_EQ(board_after<StandardRules>(chess(fen), "a1b1").castling, kWhiteShort | kBlackShort | kBlackLong);
  EXPECT_EQ(board_after<StandardRules>(chess(fen), "h1h8").castling, kWhiteLong | kBlackLong);
  EXPECT_EQ(board_after<StandardRules>(chess(fen), "a1b1 e8e7 b1a1 e7e8").castling, kWhiteShort);
}

TEST(Chess, EnPassantIsOpenForOnePlyOnly) {
  const char* fen = "4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1";
  EXPECT_EQ(fen_after(fen, "e7e5"), "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2");
  EXPECT_EQ(fen_after(fen, "e7e5 d5e6"), "4k3/8/4P3/8/8/8/8/4K3 b - - 0 2");
  EXPECT_FALSE(can_play<StandardRules>(board_after<StandardRules>(chess(fen), "e7e5 e1d1 e8d8"), "d5e6"));
}

TEST(Chess, ASingleStepIsNotTakenInPassing) {
  EXPECT_FALSE(can_play<StandardRules>(
      board_after<StandardRules>(chess("4k3/8/4p3/3P4/8/8/8/4K3 b - - 0 1"), "e6e5"), "d5e6"));
}

TEST(Chess, EnPassantMayNotUncoverTheKing) {
  EXPECT_FALSE(can_play<StandardRules>(
      board_after<StandardRules>(chess("8/4p3/8/K2P3r/8/8/8/4k3 b - - 0 1"), "e7e5"), "d5e6"));
}

TEST(Chess, EnPassantMayTakeThePawnThatGivesCheck) {
  const Board board = board_after<StandardRules>(chess("4k3/4p3/8/3P4/3K4/8/8/8 b - - 0 1"), "e7e5");
  ASSERT_TRUE(is_check<StandardRules>(board));
  EXPECT_TRUE(can_play<StandardRules>(board, "d5e6"));
}

TEST(Chess, APawnPromotesToQueenRookBishopOrKnightAndMustPromote) {
  const std::vector<std::string> expected{"e7e8b", "e7e8n", "e7e8q", "e7e8r"};
  std::vector<std::string> promotions;
  for (const std::string& text : legal_texts<StandardRules>(chess("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")))
    if (text.starts_with("e7")) promotions.push_back(text);
  EXPECT_EQ(promotions, expected);
  EXPECT_EQ(fen_after("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n"), "4N3/6k1/8/8/8/8/8/4K3 b - - 0 1");
}

TEST(Chess, PromotionByCaptureTakesTheRooksCastlingRight) {
  EXPECT_EQ(fen_after("r3k2r/1P6/8/8/8/8/8/4K3 w kq - 0 1", "b7a8q"), "Q3k2r/8/8/8/8/8/8/4K3 b k - 0 1");
}

TEST(Chess, APinnedManMovesOnItsLineOnly) {
  const char* fen = "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1";
  EXPECT_TRUE(legal(fen, "e2e8"));
  EXPECT_TRUE(legal(fen, "e2e5"));
  EXPECT_FALSE(legal(fen, "e2d2"));
}

TEST(Chess, InDoubleCheckOnlyTheKingMoves) {
  for (const std::string& text : legal_texts<StandardRules>(chess("4r1k1/8/8/8/8/3n4/8/R3K2R w KQ - 0 1")))
    EXPECT_TRUE(text.starts_with("e1")) << text;
}

TEST(Chess, TheKingMayNotStepBackOnTheLineOfACheck) {
  EXPECT_FALSE(legal("4r1k1/8/8/8/4K3/8/8/8 w - - 0 1", "e4e3"));
  EXPECT_TRUE(legal("4r1k1/8/8/8/4K3/8/8/8 w - - 0 1", "e4d3"));
}

TEST(Chess, ACapturedManLeavesTheGame) {
  EXPECT_EQ(fen_after("4k3/8/8/3p4/4P3/8/8/4K3 w - - 5 9", "e4d5"), "4k3/8/8/3P4/8/8/8/4K3 b - - 0 9");
}

TEST(Chess, TheMoveNumberRisesAfterBlacksMove) {
  EXPECT_EQ(fen_after("4k3/8/8/8/8/8/4R3/4K3 b - - 7 9", "e8d8"), "3k4/8/8/8/8/8/4R3/4K3 w - - 8 10");
}

}  // namespace
}  // namespace farrier
