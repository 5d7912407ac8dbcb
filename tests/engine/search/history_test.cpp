// What the search remembers of moves, and which moves give check.
#include "engine/search/history.h"

#include "tests/support/rules_testing.h"

namespace farrier {
namespace {

TEST(HistoryScore, NeverLeavesItsBoundsAndSettlesWhereRewardsBalance) {
  HistoryScore score;
  for (int i = 0; i < 1000; ++i) score.add(1600);
  EXPECT_GT(score.value(), params::kHistoryMax * 9 / 10);
  EXPECT_LE(score.value(), params::kHistoryMax);
  for (int i = 0; i < 1000; ++i) score.add(-1600);
  EXPECT_LT(score.value(), -params::kHistoryMax * 9 / 10);
  EXPECT_GE(score.value(), -params::kHistoryMax);
}

TEST(QuietHistory, ADropAndAMoveOfTheSameManToTheSameSquareAreTwoThings) {
  const Board board = board_from<Crazyhouse>("4k3/8/8/8/8/8/8/4K1N1[N] w - - 0 1");
  QuietHistory history;
  const SearchParams params;
  const Move drop = Move::drop(PieceType::Knight, make_square(5, 2));
  const Move leap = Move::normal(Square::G1, make_square(5, 2));
  history.add(board, drop, {}, 1000);
  EXPECT_GT(history.score(params, board, drop, {}), 0);
  EXPECT_EQ(history.score(params, board, leap, {}), 0);
}

TEST(QuietHistory, AReplyIsRememberedWithTheMoveThatItAnswered) {
  const Board board = board_from<StandardRules>("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1");
  QuietHistory history;
  const SearchParams params;
  const Move leap = Move::normal(Square::G1, make_square(5, 2));
  const PreviousMoves answered{.theirs = 5, .ours = 9};
  history.add(board, leap, answered, 1000);
  EXPECT_GT(history.score(params, board, leap, answered), history.score(params, board, leap, {}));
  history.clear();
  EXPECT_EQ(history.score(params, board, leap, answered), 0);
}

TEST(CaptureHistory, TellsVictimsApart) {
  const Board board = board_from<StandardRules>("4k3/8/8/3p1r2/4P3/8/8/4K3 w - - 0 1");
  CaptureHistory history;
  const Move takes_pawn = Move::normal(make_square(4, 3), make_square(3, 4));
  const Move takes_rook = Move::normal(make_square(4, 3), make_square(5, 4));
  history.add(board, takes_rook, 500);
  EXPECT_GT(history.score(board, takes_rook), 0);
  EXPECT_EQ(history.score(board, takes_pawn), 0);
}

template <VariantRules R>
class CheckSquaresTest : public testing::Test {};
TYPED_TEST_SUITE(CheckSquaresTest, AllRules, RulesName);

/// Against the plain question: after the move, does the man on its target attack the royal man? A promoting pawn may also open
/// its new self's line by leaving its square; that is not looked for.
TYPED_TEST(CheckSquaresTest, TellDirectChecksInRandomGames) {
  int checks = 0;
  for_random_positions<TypeParam>(3, 20, 120, [&](const Board& board, const MoveList& moves) {
    const CheckSquares squares = check_squares<TypeParam>(board);
    for (Move move : moves) {
      if (move.is_castling()) continue;
      const bool direct = checkers<TypeParam>(after<TypeParam>(board, move)).contains(move.to());
      const bool told = squares.gives_check(board, move);
      checks += told;
      if (told || !move.is_promotion()) {
        ASSERT_EQ(told, direct) << to_fen<TypeParam>(board) << ' ' << to_uci(move);
      }
    }
  });
  EXPECT_GT(checks, 100);
}

}  // namespace
}  // namespace farrier
