// Moves as UCI text.
#include "engine/chess/notation.h"

#include <gtest/gtest.h>

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

TEST(UciMoves, SquaresAreNamedFileFirst) {
  EXPECT_EQ(square_name(Square::A1), "a1");
  EXPECT_EQ(square_name(Square::H8), "h8");
  EXPECT_EQ(square_name(make_square(4, 3)), "e4");
}

TEST(UciMoves, ADropIsWrittenWithAnUpperCaseLetterForBothSides) {
  const Board white = board_from<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1");
  const Board black = board_from<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Nn] b - - 0 1");
  const Move drop = Move::drop(PieceType::Knight, make_square(5, 2));
  EXPECT_EQ(to_uci(drop), "N@f3");
  for (const Board& board : {white, black})
    for (const char* text : {"N@f3", "n@f3"}) {
      const Result<Move> move = parse_uci_move<Crazyhouse>(board, text);
      ASSERT_TRUE(move.ok()) << move.reason();
      EXPECT_EQ(*move, drop);
    }
}

TEST(UciMoves, APromotionIsWrittenWithALowerCaseLetter) {
  EXPECT_EQ(to_uci(Move::promotion(make_square(4, 6), make_square(4, 7), PieceType::Queen)), "e7e8q");
  EXPECT_EQ(to_uci(Move::promotion(make_square(0, 6), make_square(0, 7), PieceType::Commoner)), "a7a8m");
}

TEST(UciMoves, CastlingIsWrittenAsTheRoyalMansMove) {
  const Board board = board_from<StandardRules>("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  const Result<Move> move = parse_uci_move<StandardRules>(board, "e1g1");
  ASSERT_TRUE(move.ok()) << move.reason();
  EXPECT_TRUE(move->is_castling());
  EXPECT_EQ(to_uci(*move), "e1g1");
  EXPECT_FALSE(can_play<StandardRules>(board, "e1h1"));
}

TEST(UciMoves, APromotionNeedsItsLetterAndOtherMovesHaveNone) {
  const Board board = board_from<StandardRules>("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_TRUE(can_play<StandardRules>(board, "e7e8q"));
  EXPECT_FALSE(can_play<StandardRules>(board, "e7e8"));
  EXPECT_FALSE(can_play<StandardRules>(board, "e7e8k"));
  EXPECT_FALSE(can_play<StandardRules>(board, "e1e2q"));
}

template <VariantRules R>
class BadMoveText : public testing::Test {};
TYPED_TEST_SUITE(BadMoveText, AllRules, RulesName);

TYPED_TEST(BadMoveText, TextsThatAreNoLegalMoveAreRefusedWithTheTextInTheReason) {
  const Board board = start_board<TypeParam>();
  for (const char* text : {"", "e", "e2", "e2e5", "e7e5", "e2-e4", "E2E4", "e2e4 ", "0000", "(none)", "K@e4",
                           "Q@e4", "@e4", "N@", "N@i9", "\xff\xfe@e4", "e2e4e2e4e2e4e2e4"}) {
    const Result<Move> move = parse_uci_move<TypeParam>(board, text);
    ASSERT_FALSE(move.ok()) << text;
    EXPECT_NE(move.reason().find(text), std::string::npos) << move.reason();
  }
}

}  // namespace
}  // namespace farrier
