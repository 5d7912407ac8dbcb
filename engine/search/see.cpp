#include "engine/search/see.h"

#include <array>

#include "engine/chess/attacks.h"
#include "engine/chess/movegen.h"
#include "engine/nnue/evaluator.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// What the move itself captures.
template <VariantRules R>
Score first_gain(const Board& board, Move move) {
  if (move.is_drop() || move.is_castling()) return 0;
  if (move.is_en_passant()) return capture_value<R>(Piece(~board.side_to_move, PieceType::Pawn));
  const Piece victim = board.at(move.to());
  return victim.is_none() ? 0 : capture_value<R>(victim);
}

Piece mover_after(const Board& board, Move move) {
  if (move.is_drop()) return Piece(board.side_to_move, move.dropped());
  if (move.is_promotion()) return Piece(board.side_to_move, move.promoted_to(), true);
  return board.at(move.from());
}

/// The square of the least valuable of `attackers`, the royal man last.
template <VariantRules R>
Square least_valuable(const Board& board, Bitboard attackers) {
  constexpr std::array kOrder{PieceType::Pawn, R::kMinor,        PieceType::Bishop,
                              PieceType::Rook, PieceType::Queen, PieceType::King};
  for (PieceType type : kOrder) {
    const Bitboard some = attackers & board.men(type);
    if (some.any()) return some.first();
  }
  return Square::None;
}

/// Sliders that a man leaving the line to `target` uncovers.
Bitboard uncovered(const Board& board, Square target, Bitboard occupied) {
  const Bitboard queens = board.men(PieceType::Queen);
  return ((rook_attacks(target, occupied) & (board.men(PieceType::Rook) | queens)) |
          (bishop_attacks(target, occupied) & (board.men(PieceType::Bishop) | queens))) &
         occupied;
}

}  // namespace

template <VariantRules R>
Score capture_value(Piece piece) {
  const Score loss = material_value<R>(piece.type());
  if constexpr (R::kCapturesGoToHand)
    return loss + material_value<R>(piece.promoted() ? PieceType::Pawn : piece.type());
  return loss;
}

template <VariantRules R>
bool see_at_least(const Board& board, Move move, Score threshold) {
  const Square target = move.to();
  Score balance = first_gain<R>(board, move) - threshold;
  if (move.is_promotion())
    balance += material_value<R>(move.promoted_to()) - material_value<R>(PieceType::Pawn);
  if (balance < 0) return false;
  balance -= capture_value<R>(mover_after(board, move));
  if (balance >= 0) return true;

  Bitboard occupied = board.occupied() | Bitboard(target);
  if (!move.is_drop()) occupied ^= Bitboard(move.from());
  if (move.is_en_passant()) occupied ^= Bitboard(offset(target, -forward(board.side_to_move)));
  Bitboard attackers = attackers_to<R>(board, target, occupied) & occupied;
  Color side = ~board.side_to_move;
  // The side to capture stands at -balance; it stops where capturing on would not mend its loss.
  while (true) {
    const Bitboard own = attackers & board.men(side);
    if (own.empty()) break;
    const Square from = least_valuable<R>(board, own);
    occupied ^= Bitboard(from);
    attackers = (attackers | uncovered(board, target, occupied)) & occupied;
    const Piece capturer = board.at(from);
    if (capturer.type() == PieceType::King && (attackers & board.men(~side)).any()) break;
    side = ~side;
    balance = -balance - 1 - capture_value<R>(capturer);
    if (balance >= 0) break;
  }
  return side != board.side_to_move;
}

#define INSTANTIATE(R)                    \
  template Score capture_value<R>(Piece); \
  template bool see_at_least<R>(const Board&, Move, Score);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
