// The rules a second time, slow and plain, from shared/rules/ alone: letters on a mailbox, no bitboards, no code of
// ours. What the engine does is compared with this, and recorded games are replayed by it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace farrier::reference {

/// Squares are 0 = a1 ... 63 = h8; men are FEN letters, '.' an empty square.
struct Position {
  std::string variant;  // the UCI_Variant name
  std::array<char, 64> men{};
  std::array<bool, 64> promoted{};
  std::map<char, int> hand;  // by FEN letter, upper case for white
  bool white_to_move = true;
  std::string castling;  // a part of "KQkq"
  int en_passant = -1;   // only where a legal en passant capture exists
  int halfmove_clock = 0;
  int fullmove_number = 1;
};

/// Reads a canonical FEN; the caller guarantees that it is one.
Position read_fen(std::string_view variant, const std::string& fen);
std::string write_fen(const Position& position);

/// Whether a man of that side attacks the square.
bool is_attacked(const Position& position, int square, bool by_white);
/// Whether the royal man of that side is attacked.
bool in_check(const Position& position, bool white);

/// All legal moves as UCI text, sorted.
std::vector<std::string> legal_moves(const Position& position);
/// The position after a legal move.
Position play(const Position& position, const std::string& move);

}  // namespace farrier::reference
