#include "engine/chess/make_move.h"

#include "engine/chess/attacks.h"
#include "engine/chess/movegen.h"
#include "engine/chess/zobrist.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// The castling rights that a man leaving or entering `s` ends.
constexpr std::uint8_t rights_bound_to(Square s) {
  switch (s) {
    case Square::E1:
      return kWhiteShort | kWhiteLong;
    case Square::H1:
      return kWhiteShort;
    case Square::A1:
      return kWhiteLong;
    case Square::E8:
      return kBlackShort | kBlackLong;
    case Square::H8:
      return kBlackShort;
    case Square::A8:
      return kBlackLong;
    default:
      return 0;
  }
}

template <VariantRules R>
void capture(Board& board, Square s) {
  const Piece victim = board.at(s);
  board.remove(s);
  board.halfmove_clock = 0;
  if constexpr (R::kCapturesGoToHand) {
    const Color captor = ~victim.color();
    const PieceType type = victim.promoted() ? PieceType::Pawn : victim.type();
    board.set_in_hand(captor, type, board.in_hand(captor, type) + 1);
  }
}

void move_castling_rook(Board& board, Color us, Square royal_to) {
  const bool is_short = file_of(royal_to) == 6;
  board.remove(relative(us, is_short ? Square::H1 : Square::A1));
  board.put(Piece(us, PieceType::Rook), relative(us, is_short ? Square::F1 : Square::D1));
}

}  // namespace

template <VariantRules R>
void make_move(Board& board, Move move) {
  const Color us = board.side_to_move;
  const Square to = move.to();
  Square passed = Square::None;  // the square that a double step leaves to be taken on
  ++board.halfmove_clock;
  if (us == Color::Black) ++board.fullmove_number;

  if (move.is_drop()) {
    const PieceType type = move.dropped();
    board.set_in_hand(us, type, board.in_hand(us, type) - 1);
    board.put(Piece(us, type), to);
    board.halfmove_clock = 0;
  } else {
    const Square from = move.from();
    const Piece man = board.at(from);
    if (move.is_en_passant()) capture<R>(board, offset(to, -forward(us)));
    if (!board.at(to).is_none()) capture<R>(board, to);
    board.remove(from);
    board.put(move.is_promotion() ? Piece(us, move.promoted_to(), R::kCapturesGoToHand) : man, to);
    if (man.type() == PieceType::Pawn) {
      board.halfmove_clock = 0;
      if (to == offset(from, 2 * forward(us))) passed = offset(from, forward(us));
    }
    if (move.is_castling()) move_castling_rook(board, us, to);
    if (board.castling)
      board.set_castling(board.castling &
                         static_cast<std::uint8_t>(~(rights_bound_to(from) | rights_bound_to(to))));
  }

  board.flip_side_to_move();
  set_en_passant_if_legal<R>(board, passed);
}

template <VariantRules R>
std::uint64_t approximate_key_after(const Board& board, Move move) {
  const Color us = board.side_to_move;
  const Square to = move.to();
  std::uint64_t key = board.key ^ zobrist::kTables.black_to_move ^ zobrist::en_passant(board.en_passant);
  const auto change_hand = [&](PieceType type, int change) {
    const int held = board.in_hand(us, type);
    key ^= zobrist::hand(us, type, held) ^ zobrist::hand(us, type, held + change);
  };
  if (R::kHasDrops && move.is_drop()) {
    change_hand(move.dropped(), -1);
    return key ^ zobrist::piece(Piece(us, move.dropped()), to);
  }
  const Square from = move.from();
  const Piece man = board.at(from);
  const Square victim_square = move.is_en_passant() ? offset(to, -forward(us)) : to;
  const Piece victim = board.at(victim_square);
  const Piece arriving = move.is_promotion() ? Piece(us, move.promoted_to(), R::kCapturesGoToHand) : man;
  key ^= zobrist::piece(man, from) ^ zobrist::piece(arriving, to);
  if (!victim.is_none()) {
    key ^= zobrist::piece(victim, victim_square);
    if constexpr (R::kCapturesGoToHand) change_hand(victim.promoted() ? PieceType::Pawn : victim.type(), +1);
  }
  if (board.castling)
    key ^= zobrist::castling(board.castling) ^
           zobrist::castling(board.castling &
                             static_cast<std::uint8_t>(~(rights_bound_to(from) | rights_bound_to(to))));
  return key;
}

template <VariantRules R>
void set_en_passant_if_legal(Board& board, Square s) {
  bool legal = false;
  if (s != Square::None) {
    const Color us = board.side_to_move;
    for (Square from : pawn_attacks(~us, s) & board.men(us, PieceType::Pawn))
      legal = legal || en_passant_is_safe<R>(board, from, s);
  }
  const Square kept = legal ? s : Square::None;
  if (board.en_passant != kept) board.set_en_passant(kept);
}

void make_null_move(Board& board) {
  ++board.halfmove_clock;
  board.flip_side_to_move();
  if (board.en_passant != Square::None) board.set_en_passant(Square::None);
}

#define INSTANTIATE(R)                                                 \
  template void make_move<R>(Board&, Move);                            \
  template std::uint64_t approximate_key_after<R>(const Board&, Move); \
  template void set_en_passant_if_legal<R>(Board&, Square);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
