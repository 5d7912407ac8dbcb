// The small words of chess: colours, squares, men.
#pragma once

#include <cstdint>

namespace farrier {

enum class Color : std::uint8_t { White, Black };
constexpr int kColorCount = 2;
constexpr Color operator~(Color c) { return static_cast<Color>(static_cast<int>(c) ^ 1); }
constexpr int index(Color c) { return static_cast<int>(c); }

/// The kinds of men of all variants. King is the royal man, whatever moves he makes: a variant's rules tell
/// (in knightmate he leaps like a knight). Commoner moves like a king and is not royal.
enum class PieceType : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, Commoner, None };
constexpr int kPieceTypeCount = 7;
/// Pawn to Queen can be held in hand.
constexpr int kHandTypeCount = 5;
constexpr int index(PieceType t) { return static_cast<int>(t); }

/// A man on a square: type, colour and, in crazyhouse, the mark of a promoted man. One byte; 0 is an empty
/// square.
class Piece {
 public:
  constexpr Piece() = default;
  constexpr Piece(Color c, PieceType t, bool promoted = false)
      : bits_(static_cast<std::uint8_t>((index(t) + 1) | index(c) << 3 | (promoted ? 16 : 0))) {}

  constexpr bool is_none() const { return bits_ == 0; }
  constexpr PieceType type() const {
    return bits_ == 0 ? PieceType::None : static_cast<PieceType>((bits_ & 7) - 1);
  }
  constexpr Color color() const { return static_cast<Color>(bits_ >> 3 & 1); }
  constexpr bool promoted() const { return (bits_ & 16) != 0; }
  constexpr std::uint8_t bits() const { return bits_; }
  friend constexpr bool operator==(Piece, Piece) = default;

 private:
  std::uint8_t bits_ = 0;
};

/// a1 = 0, b1 = 1, ..., h8 = 63.
// clang-format off
enum class Square : std::uint8_t {
  A1, B1, C1, D1, E1, F1, G1, H1,
  A8 = 56, B8, C8, D8, E8, F8, G8, H8, None
};
// clang-format on
constexpr int kSquareCount = 64;
constexpr int index(Square s) { return static_cast<int>(s); }
constexpr Square make_square(int file, int rank) { return static_cast<Square>(rank * 8 + file); }
constexpr int file_of(Square s) { return index(s) & 7; }
constexpr int rank_of(Square s) { return index(s) >> 3; }
constexpr Square offset(Square s, int delta) { return static_cast<Square>(index(s) + delta); }
/// The square as `c` sees it: ranks counted from that side's first.
constexpr Square relative(Color c, Square s) { return static_cast<Square>(index(s) ^ (56 * index(c))); }
/// +8 for white, -8 for black.
constexpr int forward(Color c) { return c == Color::White ? 8 : -8; }

/// Castling rights as a set of four bits.
enum CastlingRight : std::uint8_t { kWhiteShort = 1, kWhiteLong = 2, kBlackShort = 4, kBlackLong = 8 };
constexpr std::uint8_t short_right(Color c) { return static_cast<std::uint8_t>(kWhiteShort << 2 * index(c)); }
constexpr std::uint8_t long_right(Color c) { return static_cast<std::uint8_t>(kWhiteLong << 2 * index(c)); }

/// Longest game that the program family plays or stores, in plies.
constexpr int kMaxGamePlies = 2000;

}  // namespace farrier
