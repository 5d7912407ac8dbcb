// Where men attack: leapers by table, sliders by magic multiplication, and lines between squares.
#pragma once

#include "engine/chess/bitboard.h"

namespace farrier {

Bitboard knight_attacks(Square s);
Bitboard king_attacks(Square s);
/// The squares that a pawn of `c` on `s` attacks.
Bitboard pawn_attacks(Color c, Square s);
Bitboard rook_attacks(Square s, Bitboard occupied);
Bitboard bishop_attacks(Square s, Bitboard occupied);
inline Bitboard queen_attacks(Square s, Bitboard occupied) {
  return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}
/// The squares strictly between two squares on a common line; empty if there is none.
Bitboard between(Square a, Square b);
/// The whole line through two squares, edge to edge; empty if they share none.
Bitboard line_through(Square a, Square b);

}  // namespace farrier
