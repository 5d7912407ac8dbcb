// A set of squares in 64 bits; bit i is square i (a1 = 0).
#pragma once

#include <bit>
#include <cstdint>

#include "engine/chess/types.h"

namespace farrier {

class Bitboard {
 public:
  constexpr Bitboard() = default;
  constexpr explicit Bitboard(std::uint64_t bits) : bits_(bits) {}
  constexpr explicit Bitboard(Square s) : bits_(std::uint64_t{1} << index(s)) {}

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const { return std::popcount(bits_); }
  constexpr bool more_than_one() const { return (bits_ & (bits_ - 1)) != 0; }
  constexpr bool contains(Square s) const { return (bits_ >> index(s) & 1) != 0; }
  /// The lowest square; the set must not be empty.
  constexpr Square first() const { return static_cast<Square>(std::countr_zero(bits_)); }

  constexpr Bitboard operator&(Bitboard o) const { return Bitboard(bits_ & o.bits_); }
  constexpr Bitboard operator|(Bitboard o) const { return Bitboard(bits_ | o.bits_); }
  constexpr Bitboard operator^(Bitboard o) const { return Bitboard(bits_ ^ o.bits_); }
  constexpr Bitboard operator~() const { return Bitboard(~bits_); }
  constexpr Bitboard& operator&=(Bitboard o) { return bits_ &= o.bits_, *this; }
  constexpr Bitboard& operator|=(Bitboard o) { return bits_ |= o.bits_, *this; }
  constexpr Bitboard& operator^=(Bitboard o) { return bits_ ^= o.bits_, *this; }
  friend constexpr bool operator==(Bitboard, Bitboard) = default;

  /// Visits the squares from the lowest up.
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t bits) : bits_(bits) {}
    constexpr Square operator*() const { return static_cast<Square>(std::countr_zero(bits_)); }
    constexpr Iterator& operator++() { return bits_ &= bits_ - 1, *this; }
    constexpr bool operator!=(const Iterator& o) const { return bits_ != o.bits_; }

   private:
    std::uint64_t bits_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  std::uint64_t bits_ = 0;
};

constexpr Bitboard kFileA{0x0101010101010101ULL};
constexpr Bitboard kFileH{0x8080808080808080ULL};
constexpr Bitboard kDarkSquares{0xAA55AA55AA55AA55ULL};
constexpr Bitboard kEndRanks{0xFF000000000000FFULL};

constexpr Bitboard rank_mask(int rank) { return Bitboard(0xFFULL << (8 * rank)); }

/// Shifts by a signed square offset, without regard to the board's edges.
constexpr Bitboard shifted(Bitboard b, int delta) {
  return delta >= 0 ? Bitboard(b.bits() << delta) : Bitboard(b.bits() >> -delta);
}

/// All squares that pawns of `c` on `pawns` attack toward the a file / the h file.
constexpr Bitboard pawn_attacks_west(Color c, Bitboard pawns) {
  return shifted(pawns & ~kFileA, forward(c) - 1);
}
constexpr Bitboard pawn_attacks_east(Color c, Bitboard pawns) {
  return shifted(pawns & ~kFileH, forward(c) + 1);
}

}  // namespace farrier
