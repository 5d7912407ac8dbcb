// A move in 16 bits. The same bits are stored in game records (selfplay/data/SCHEMA.md).
#pragma once

#include <cassert>
#include <cstdint>

#include "engine/chess/types.h"

namespace farrier {

/// Bits 0-5: target square. Bits 6-11: origin square, or the man's type for a drop. Bits 12-15: the kind.
class Move {
 public:
  /// Promotions are kPromotion + index of the type promoted to.
  enum Kind : std::uint8_t { kNormal = 0, kCastling = 1, kEnPassant = 2, kDrop = 3, kPromotion = 4 };

  constexpr Move() = default;
  static constexpr Move normal(Square from, Square to) { return Move(index(from), to, kNormal); }
  /// Castling is the royal man's two-square step.
  static constexpr Move castling(Square from, Square to) { return Move(index(from), to, kCastling); }
  static constexpr Move en_passant(Square from, Square to) { return Move(index(from), to, kEnPassant); }
  static constexpr Move drop(PieceType type, Square to) { return Move(index(type), to, kDrop); }
  static constexpr Move promotion(Square from, Square to, PieceType type) {
    return Move(index(from), to, kPromotion + index(type));
  }
  static constexpr Move from_bits(std::uint16_t bits) {
    Move m;
    m.bits_ = bits;
    return m;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  /// No move: what a search without legal moves returns.
  constexpr bool is_none() const { return bits_ == 0; }
  constexpr Square to() const { return static_cast<Square>(bits_ & 63); }
  /// Not for drops.
  constexpr Square from() const {
    assert(!is_drop());
    return static_cast<Square>(bits_ >> 6 & 63);
  }
  constexpr bool is_drop() const { return kind() == kDrop; }
  constexpr bool is_castling() const { return kind() == kCastling; }
  constexpr bool is_en_passant() const { return kind() == kEnPassant; }
  constexpr bool is_promotion() const { return kind() >= kPromotion; }
  constexpr PieceType dropped() const { return static_cast<PieceType>(bits_ >> 6 & 63); }
  constexpr PieceType promoted_to() const { return static_cast<PieceType>(kind() - kPromotion); }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  constexpr Move(int from, Square to, int kind)
      : bits_(static_cast<std::uint16_t>(index(to) | from << 6 | kind << 12)) {}
  constexpr int kind() const { return bits_ >> 12; }

  std::uint16_t bits_ = 0;  // a1a1 is never a move
};

}  // namespace farrier
