// Knightmate: the royal man moves as a knight (and castles like a king); in the knights' place stand
// commoners, who move as kings and are not royal. Pawns promote to queen, rook, bishop or commoner.
#pragma once

#include "engine/variants/standard_rules.h"

namespace farrier {

struct Knightmate : StandardRules {
  static constexpr Variant kVariant = Variant::Knightmate;
  static constexpr std::string_view kUciName = "knightmate";
  static constexpr std::string_view kStartFen = "rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1";

  static constexpr PieceType kMinor = PieceType::Commoner;
  static constexpr bool kRoyalLeapsAsKnight = true;
  static constexpr std::array kPromotions{PieceType::Queen, PieceType::Rook, PieceType::Bishop,
                                          PieceType::Commoner};

  /// A lone bishop can help to mate in the corner, so only the two royal knights by themselves are dead.
  static bool is_dead_position(const Board& board) { return board.occupied().count() == 2; }
};
static_assert(VariantRules<Knightmate>);

}  // namespace farrier
