#include "engine/chess/board.h"

#include <cassert>

#include "engine/chess/zobrist.h"

namespace farrier {

void Board::put(Piece piece, Square s) {
  assert(at(s).is_none());
  const Bitboard bit(s);
  by_type[index(piece.type())] |= bit;
  by_color[index(piece.color())] |= bit;
  if (piece.promoted()) promoted |= bit;
  squares[index(s)] = piece;
  key ^= zobrist::piece(piece, s);
}

void Board::remove(Square s) {
  const Piece piece = at(s);
  assert(!piece.is_none());
  const Bitboard keep = ~Bitboard(s);
  by_type[index(piece.type())] &= keep;
  by_color[index(piece.color())] &= keep;
  promoted &= keep;
  squares[index(s)] = Piece();
  key ^= zobrist::piece(piece, s);
}

void Board::set_in_hand(Color c, PieceType t, int count) {
  auto& held = hands[index(c)][index(t)];
  key ^= zobrist::hand(c, t, held) ^ zobrist::hand(c, t, count);
  held = static_cast<std::uint8_t>(count);
}

void Board::set_castling(std::uint8_t rights) {
  key ^= zobrist::castling(castling) ^ zobrist::castling(rights);
  castling = rights;
}

void Board::set_en_passant(Square s) {
  key ^= zobrist::en_passant(en_passant) ^ zobrist::en_passant(s);
  en_passant = s;
}

void Board::flip_side_to_move() {
  side_to_move = ~side_to_move;
  key ^= zobrist::kTables.black_to_move;
}

std::uint64_t Board::fresh_key() const {
  std::uint64_t k = zobrist::castling(castling) ^ zobrist::en_passant(en_passant);
  for (Square s : occupied()) k ^= zobrist::piece(at(s), s);
  for (int c = 0; c < kColorCount; ++c)
    for (int t = 0; t < kHandTypeCount; ++t)
      k ^= zobrist::hand(static_cast<Color>(c), static_cast<PieceType>(t), hands[c][t]);
  return side_to_move == Color::Black ? k ^ zobrist::kTables.black_to_move : k;
}

}  // namespace farrier
