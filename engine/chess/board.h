// The position's plain data: what a FEN says, and its hash key. Rules live in movegen, make_move and outcome.
#pragma once

#include <array>
#include <cstdint>

#include "engine/chess/bitboard.h"
#include "engine/chess/types.h"

namespace farrier {

/// Small enough to copy for every move made: a search keeps one per ply and never takes a move back.
struct Board {
  std::array<Bitboard, kPieceTypeCount> by_type{};
  std::array<Bitboard, kColorCount> by_color{};
  Bitboard promoted{};                        // crazyhouse: men that enter the hand as pawns
  std::array<Piece, kSquareCount> squares{};  // the same men by square
  std::array<std::array<std::uint8_t, kHandTypeCount>, kColorCount> hands{};
  Color side_to_move = Color::White;
  std::uint8_t castling = 0;
  Square en_passant = Square::None;  // set only where a legal en passant capture exists
  std::uint16_t halfmove_clock = 0;  // plies since a capture, pawn move or drop
  std::uint16_t fullmove_number = 1;
  std::uint64_t key = 0;  // equal for positions that repeat each other (RULES.md): clocks are not in it

  Bitboard occupied() const { return by_color[0] | by_color[1]; }
  Bitboard men(Color c) const { return by_color[index(c)]; }
  Bitboard men(PieceType t) const { return by_type[index(t)]; }
  Bitboard men(Color c, PieceType t) const { return by_color[index(c)] & by_type[index(t)]; }
  Piece at(Square s) const { return squares[index(s)]; }
  /// Where the royal man of `c` stands.
  Square royal(Color c) const { return men(c, PieceType::King).first(); }
  int in_hand(Color c, PieceType t) const { return hands[index(c)][index(t)]; }
  bool hands_empty() const { return hands == decltype(hands){}; }

  /// These three keep bitboards, squares and key together.
  void put(Piece piece, Square s);
  void remove(Square s);
  void set_in_hand(Color c, PieceType t, int count);
  /// Castling rights and en passant square with their part of the key.
  void set_castling(std::uint8_t rights);
  void set_en_passant(Square s);
  void flip_side_to_move();

  /// The key computed afresh; always equal to `key`.
  std::uint64_t fresh_key() const;
  friend bool operator==(const Board&, const Board&) = default;
};

}  // namespace farrier
