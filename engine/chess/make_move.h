// The change that a move makes to a board.
#pragma once

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Makes a legal move on `board`. Copy the board first to keep the old position: there is no take-back.
template <VariantRules R>
void make_move(Board& board, Move move);

template <VariantRules R>
Board after(const Board& board, Move move) {
  Board next = board;
  make_move<R>(next, move);
  return next;
}

/// The key of the position after a legal move, without making it, so that a table can be asked early. It is the right
/// one for nearly all moves: the rook's part of castling and a new en passant square are left out.
template <VariantRules R>
std::uint64_t approximate_key_after(const Board& board, Move move);

/// Passes the turn; only where the side to move is not in check.
void make_null_move(Board& board);

/// Sets the en passant square to `s` if a legal en passant capture onto it exists, else to none. The man to
/// be captured already stands behind `s`, and the capturing side is to move.
template <VariantRules R>
void set_en_passant_if_legal(Board& board, Square s);

}  // namespace farrier
