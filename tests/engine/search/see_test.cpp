#include "engine/search/see.h"

#include "engine/nnue/evaluator.h"
#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

/// Whether the exchange gains exactly `value`.
template <VariantRules R>
void expect_exchange(const std::string& fen, const std::string& text, Score value) {
  const Board board = board_from<R>(fen);
  const Move move = parse_uci_move<R>(board, text).value_or_throw("test");
  EXPECT_TRUE(see_at_least<R>(board, move, value)) << fen << ' ' << text;
  EXPECT_FALSE(see_at_least<R>(board, move, value + 1)) << fen << ' ' << text;
}

const Score kPawn = material_value<StandardRules>(PieceType::Pawn);
const Score kKnight = material_value<StandardRules>(PieceType::Knight);
const Score kRook = material_value<StandardRules>(PieceType::Rook);

TEST(StaticExchange, FreeManIsWorthItself) {
  expect_exchange<StandardRules>("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", kPawn);
}

TEST(StaticExchange, DefendedPawnCostsTheRook) {
  expect_exchange<StandardRules>("4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", kPawn - kRook);
}

TEST(StaticExchange, SecondRookBehindTheFirstJoinsIn) {
  expect_exchange<StandardRules>("3rk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", kKnight);
}

TEST(StaticExchange, RoyalManDoesNotCaptureIntoAnAttack) {
  expect_exchange<StandardRules>("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", kPawn);
}

TEST(StaticExchange, QuietMoveIntoAnAttackLosesTheMan) {
  expect_exchange<StandardRules>("4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -kRook);
}

TEST(StaticExchange, RoyalKnightDefendsByItsLeap) {
  // The black royal knight on f6 guards d5.
  expect_exchange<Knightmate>(
      "8/8/5k2/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5",
      material_value<Knightmate>(PieceType::Pawn) - material_value<Knightmate>(PieceType::Rook));
}

TEST(StaticExchange, CapturedManCountsTwiceWhereItIsHeld) {
  expect_exchange<Crazyhouse>("4k3/8/8/3r4/8/8/3R4/4K3[] w - - 0 1", "d2d5",
                              2 * material_value<Crazyhouse>(PieceType::Rook));
}

TEST(StaticExchange, PromotedManGoesToTheHandAsAPawn) {
  expect_exchange<Crazyhouse>(
      "4k3/8/8/3r~4/8/8/3R4/4K3[] w - - 0 1", "d2d5",
      material_value<Crazyhouse>(PieceType::Rook) + material_value<Crazyhouse>(PieceType::Pawn));
}

TEST(StaticExchange, DropOnAnAttackedSquareLosesTheMan) {
  expect_exchange<Crazyhouse>("4k3/8/4p3/8/8/8/8/4K3[N] w - - 0 1", "N@d5",
                              -2 * material_value<Crazyhouse>(PieceType::Knight));
}

}  // namespace
}  // namespace farrier
