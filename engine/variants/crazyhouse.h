// Crazyhouse: a captured man changes colour, enters the captor's hand, and may be dropped on any empty square
// instead of a move; pawns never on the first or the last rank. A promoted man enters the hand as a pawn.
#pragma once

#include "engine/variants/standard_rules.h"

namespace farrier {

struct Crazyhouse : StandardRules {
  static constexpr Variant kVariant = Variant::Crazyhouse;
  static constexpr std::string_view kUciName = "crazyhouse";
  static constexpr std::string_view kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";

  static constexpr bool kHasDrops = true;
  static constexpr bool kCapturesGoToHand = true;
  /// All men of both sides, since promoted men return as pawns.
  static constexpr std::array<std::uint8_t, kHandTypeCount> kHandCapacity{16, 4, 4, 4, 2};

  /// With any third man about, he may come back and mate: only bare kings with empty hands are dead.
  static bool is_dead_position(const Board& board) {
    return board.occupied().count() == 2 && board.hands_empty();
  }
};
static_assert(VariantRules<Crazyhouse>);

}  // namespace farrier
