// The cheap half of legality: what making a move presumes.
#pragma once

#include <algorithm>

#include "engine/chess/attacks.h"
#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Whether `move` (any 16 bits) can be made without breaking the board: an own man moves, no royal man is taken,
/// castling, captures in passing, promotions and drops have what they need. Whether the man moves that way and
/// the royal man stays safe is not looked at, which makes this many times faster than is_legal: it is for records
/// that were proved before, and keeps a damaged one from doing worse than being refused or misread.
template <VariantRules R>
bool is_playable(const Board& board, Move move) {
  const Color us = board.side_to_move;
  const Square to = move.to();
  const Piece target = board.at(to);
  const int last_rank = us == Color::White ? 7 : 0;
  if (move.is_drop()) {
    if constexpr (!R::kHasDrops) return false;
    const PieceType type = move.dropped();
    if (index(type) >= kHandTypeCount || board.in_hand(us, type) == 0 || !target.is_none()) return false;
    return type != PieceType::Pawn || (rank_of(to) != 0 && rank_of(to) != 7);
  }
  const Square from = move.from();
  const Piece man = board.at(from);
  if (man.is_none() || man.color() != us) return false;
  if (!target.is_none() && (target.color() == us || target.type() == PieceType::King)) return false;
  if (move.is_promotion())
    return man.type() == PieceType::Pawn && rank_of(to) == last_rank &&
           std::find(R::kPromotions.begin(), R::kPromotions.end(), move.promoted_to()) !=
               R::kPromotions.end();
  if (move.is_en_passant())
    return to == board.en_passant && man.type() == PieceType::Pawn && pawn_attacks(us, from).contains(to);
  if (move.is_castling()) {
    const bool is_short = file_of(to) == 6;
    const Square rook_to = relative(us, is_short ? Square::F1 : Square::D1);
    return man.type() == PieceType::King && to == relative(us, is_short ? Square::G1 : Square::C1) &&
           (board.castling & (is_short ? short_right(us) : long_right(us))) != 0 && target.is_none() &&
           board.at(rook_to).is_none();
  }
  return man.type() != PieceType::Pawn || (rank_of(to) != 0 && rank_of(to) != 7);
}

}  // namespace farrier
