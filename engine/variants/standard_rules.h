// Orthodox chess, and what the variants leave as it is there.
#pragma once

#include "engine/variants/variant_rules.h"

namespace farrier {

struct StandardRules {
  static constexpr Variant kVariant = Variant::Chess;
  static constexpr std::string_view kUciName = "chess";
  static constexpr std::string_view kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

  static constexpr PieceType kMinor = PieceType::Knight;
  static constexpr bool kRoyalLeapsAsKnight = false;

  static constexpr bool kHasDrops = false;
  static constexpr bool kCapturesGoToHand = false;
  static constexpr std::array<std::uint8_t, kHandTypeCount> kHandCapacity{};

  static constexpr std::array kPromotions{PieceType::Queen, PieceType::Rook, PieceType::Bishop,
                                          PieceType::Knight};

  /// Bare kings, one minor man, or bishops all on one colour. Knights in a pocket count as if on the board.
  static bool is_dead_position(const Board& board) {
    if ((board.men(PieceType::Pawn) | board.men(PieceType::Rook) | board.men(PieceType::Queen)).any())
      return false;
    const Bitboard bishops = board.men(PieceType::Bishop);
    const int knights = board.men(PieceType::Knight).count() +
                        board.in_hand(Color::White, PieceType::Knight) +
                        board.in_hand(Color::Black, PieceType::Knight);
    if (knights > 0) return knights == 1 && bishops.empty();
    return (bishops & kDarkSquares).empty() || (bishops & ~kDarkSquares).empty();
  }
};
static_assert(VariantRules<StandardRules>);

}  // namespace farrier
