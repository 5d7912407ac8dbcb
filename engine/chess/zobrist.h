// Random numbers for position keys (Zobrist 1970), made at compile time from a fixed seed.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/rng.h"
#include "engine/chess/types.h"

namespace farrier::zobrist {

struct Tables {
  std::array<std::array<std::uint64_t, kSquareCount>, 32> piece{};  // by Piece::bits(), marks included
  std::array<std::array<std::array<std::uint64_t, 35>, kHandTypeCount>, kColorCount>
      hand{};                                 // by count, up to all men there are; [0] stays 0
  std::array<std::uint64_t, 16> castling{};   // [0] stays 0
  std::array<std::uint64_t, 9> en_passant{};  // by file; [8] = none stays 0
  std::uint64_t black_to_move = 0;
};

constexpr Tables make_tables() {
  Tables t;
  Rng rng(0xFA221E2);
  for (auto& squares : t.piece)
    for (auto& key : squares) key = rng();
  for (auto& types : t.hand)
    for (auto& counts : types)
      for (std::size_t n = 1; n < counts.size(); ++n) counts[n] = rng();
  for (std::size_t i = 1; i < t.castling.size(); ++i) t.castling[i] = rng();
  for (std::size_t f = 0; f < 8; ++f) t.en_passant[f] = rng();
  t.black_to_move = rng();
  return t;
}

inline constexpr Tables kTables = make_tables();

constexpr std::uint64_t piece(Piece p, Square s) { return kTables.piece[p.bits()][index(s)]; }
constexpr std::uint64_t hand(Color c, PieceType t, int n) { return kTables.hand[index(c)][index(t)][n]; }
constexpr std::uint64_t castling(std::uint8_t rights) { return kTables.castling[rights]; }
constexpr std::uint64_t en_passant(Square s) {
  return kTables.en_passant[s == Square::None ? 8 : file_of(s)];
}

}  // namespace farrier::zobrist
