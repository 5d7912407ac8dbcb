// Pocket Knight: ordinary chess, and each side may once drop the knight that it holds, on any empty square.
#pragma once

#include "engine/variants/standard_rules.h"

namespace farrier {

struct PocketKnight : StandardRules {
  static constexpr Variant kVariant = Variant::PocketKnight;
  static constexpr std::string_view kUciName = "pocketknight";
  static constexpr std::string_view kStartFen =
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1";

  static constexpr bool kHasDrops = true;
  static constexpr std::array<std::uint8_t, kHandTypeCount> kHandCapacity{0, 1, 0, 0, 0};
};
static_assert(VariantRules<PocketKnight>);

}  // namespace farrier
