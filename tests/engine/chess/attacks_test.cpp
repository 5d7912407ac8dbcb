#include "engine/chess/attacks.h"

#include <gtest/gtest.h>

#include "engine/base/rng.h"

namespace farrier {
namespace {

/// Squares from `s` by (file, rank) steps up to the first man, walked one by one.
Bitboard walk(Square s, int file_step, int rank_step, Bitboard occupied) {
  Bitboard reached;
  int file = file_of(s) + file_step;
  int rank = rank_of(s) + rank_step;
  while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
    reached |= Bitboard(make_square(file, rank));
    if (occupied.contains(make_square(file, rank))) break;
    file += file_step;
    rank += rank_step;
  }
  return reached;
}

TEST(Attacks, SlidersReachTheFirstManOnEveryRay) {
  Rng rng(5);
  for (int i = 0; i < kSquareCount; ++i) {
    const Square s = static_cast<Square>(i);
    for (int trial = 0; trial < 2000; ++trial) {
      const Bitboard occupied(trial % 2 == 0 ? rng() : rng() & rng());
      const Bitboard rook = walk(s, 1, 0, occupied) | walk(s, -1, 0, occupied) | walk(s, 0, 1, occupied) |
                            walk(s, 0, -1, occupied);
      const Bitboard bishop = walk(s, 1, 1, occupied) | walk(s, -1, 1, occupied) | walk(s, 1, -1, occupied) |
                              walk(s, -1, -1, occupied);
      ASSERT_EQ(rook_attacks(s, occupied), rook) << i;
      ASSERT_EQ(bishop_attacks(s, occupied), bishop) << i;
      ASSERT_EQ(queen_attacks(s, occupied), rook | bishop) << i;
    }
  }
}

TEST(Attacks, BetweenIsOpenAtBothEndsAndEmptyOffLines) {
  EXPECT_EQ(between(Square::A1, Square::D1), Bitboard(Square::B1) | Bitboard(Square::C1));
  EXPECT_EQ(between(Square::D1, Square::A1), between(Square::A1, Square::D1));
  EXPECT_TRUE(between(Square::A1, Square::B1).empty());
  EXPECT_TRUE(between(Square::A1, make_square(1, 2)).empty());
  EXPECT_EQ(between(Square::A1, Square::H8).count(), 6);
}

TEST(Attacks, LineThroughReachesFromEdgeToEdge) {
  EXPECT_EQ(line_through(make_square(2, 2), make_square(4, 4)).count(), 8);
  EXPECT_EQ(line_through(Square::B1, Square::G1), rank_mask(0));
  EXPECT_TRUE(line_through(Square::A1, make_square(1, 2)).empty());
}

}  // namespace
}  // namespace farrier
