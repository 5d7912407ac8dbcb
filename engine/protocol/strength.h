// Playing weaker on request: UCI_LimitStrength and UCI_Elo.
#pragma once

#include <cstdint>

#include "engine/variants/variant.h"

namespace farrier {

/// The range that UCI_Elo offers: measured in crazyhouse, knightmate and pocketknight alike.
constexpr int kLeastElo = 900;
constexpr int kMostElo = 1850;

/// What makes a player of some strength: how many positions he looks at, and how roughly he judges them.
struct Strength {
  std::uint64_t nodes;  // a move
  int noise_cp;         // of every evaluation, uniform in +-this
};

/// For `elo` within the range; strength.cpp says on whose scale and how it was measured.
Strength strength_of(Variant variant, int elo);

}  // namespace farrier
