// Legal moves, attacks and checks under a variant's rules.
#pragma once

#include <array>

#include "engine/base/static_vector.h"
#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Enough for any position: drops of five types on sixty squares and every man's moves beside them.
using MoveList = StaticVector<Move, 640>;

/// Which moves to generate. Noisy: captures and promotions; quiet: the rest, drops included.
enum class MoveKind : std::uint8_t { All, Noisy, Quiet };

/// Appends the legal moves of that kind; the order is the same on every machine.
template <VariantRules R>
void generate_legal(const Board& board, MoveList& moves, MoveKind kind = MoveKind::All);

/// From where each type of man of the side to move would attack the enemy's royal man.
struct CheckSquares {
  std::array<Bitboard, kPieceTypeCount> from;

  /// Whether the man that a legal move puts on its target gives check from there; checks uncovered by it don't count.
  bool gives_check(const Board& board, Move m) const {
    const PieceType type = m.is_drop()        ? m.dropped()
                           : m.is_promotion() ? m.promoted_to()
                                              : board.at(m.from()).type();
    return from[index(type)].contains(m.to());
  }
};
template <VariantRules R>
CheckSquares check_squares(const Board& board);

/// Appends the quiet moves, drops included, that give check directly, for a side that is not in check itself.
template <VariantRules R>
void generate_quiet_checks(const Board& board, MoveList& moves);

template <VariantRules R>
MoveList legal_moves(const Board& board) {
  MoveList moves;
  generate_legal<R>(board, moves);
  return moves;
}

/// Whether any legal move exists.
template <VariantRules R>
bool has_legal_move(const Board& board);

/// Whether `move` (any 16 bits) is legal here.
template <VariantRules R>
bool is_legal(const Board& board, Move move);

/// Men of both colours that attack `s`, given the occupied squares.
template <VariantRules R>
Bitboard attackers_to(const Board& board, Square s, Bitboard occupied);

/// Whether a pawn on `from` that captures en passant on `to` leaves its royal man unattacked.
template <VariantRules R>
bool en_passant_is_safe(const Board& board, Square from, Square to);

/// Enemy men that give check to the side to move.
template <VariantRules R>
Bitboard checkers(const Board& board);

template <VariantRules R>
bool is_check(const Board& board) {
  return checkers<R>(board).any();
}

/// Captures, en passant included, and promotions.
inline bool is_noisy(const Board& board, Move m) {
  if (m.is_drop() || m.is_castling()) return false;
  return m.is_promotion() || m.is_en_passant() || !board.at(m.to()).is_none();
}

}  // namespace farrier
