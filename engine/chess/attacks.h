// Where men attack: leapers by table, sliders by magic multiplication, and lines between squares. All of it is asked
// several times a node, so the look-ups are inline.
#pragma once

#include <array>
#include <cstdint>

#include "engine/chess/bitboard.h"

namespace farrier {
namespace detail {

/// A slider's attacks from one square, by what stands on its rays.
struct Magic {
  Bitboard mask;  // squares whose occupancy matters: the rays without their last squares
  std::uint64_t multiplier;
  const Bitboard* attacks;
  int shift;

  Bitboard operator()(Bitboard occupied) const {
    return attacks[((occupied & mask).bits() * multiplier) >> shift];
  }
};

struct AttackTables {
  using BySquare = std::array<Bitboard, kSquareCount>;
  BySquare knight;
  BySquare king;
  std::array<BySquare, kColorCount> pawn;
  BySquare straight;
  BySquare diagonal;
  std::array<Magic, kSquareCount> rook;
  std::array<Magic, kSquareCount> bishop;
  std::array<BySquare, kSquareCount> between;
  std::array<BySquare, kSquareCount> line;

  AttackTables();
};
extern const AttackTables kAttackTables;  // filled before main, so that look-ups need no guard

}  // namespace detail

inline Bitboard knight_attacks(Square s) { return detail::kAttackTables.knight[index(s)]; }
inline Bitboard king_attacks(Square s) { return detail::kAttackTables.king[index(s)]; }
/// The squares that a pawn of `c` on `s` attacks.
inline Bitboard pawn_attacks(Color c, Square s) { return detail::kAttackTables.pawn[index(c)][index(s)]; }
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
  return detail::kAttackTables.rook[index(s)](occupied);
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
  return detail::kAttackTables.bishop[index(s)](occupied);
}
inline Bitboard queen_attacks(Square s, Bitboard occupied) {
  return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}
/// What a rook or a bishop on `s` would attack on an empty board.
inline Bitboard straight_lines(Square s) { return detail::kAttackTables.straight[index(s)]; }
inline Bitboard diagonal_lines(Square s) { return detail::kAttackTables.diagonal[index(s)]; }
/// The squares strictly between two squares on a common line; empty if there is none.
inline Bitboard between(Square a, Square b) { return detail::kAttackTables.between[index(a)][index(b)]; }
/// The whole line through two squares, edge to edge; empty if they share none.
inline Bitboard line_through(Square a, Square b) { return detail::kAttackTables.line[index(a)][index(b)]; }

}  // namespace farrier
