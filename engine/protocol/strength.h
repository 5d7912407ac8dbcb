// Playing weaker on request: UCI_LimitStrength and UCI_Elo.
#pragma once

#include <cstdint>

#include "engine/variants/variant.h"

namespace farrier {

/// The range that UCI_Elo offers, in every variant.
constexpr int kLeastElo = 600;
constexpr int kMostElo = 2400;

/// What makes a player of some strength: how many positions he looks at, and how roughly he judges them.
struct Strength {
  std::uint64_t nodes;  // a move
  int noise_cp;         // of every evaluation, uniform in +-this
};

/// For `elo` within the range; strength.cpp says on whose scale and how it was measured.
Strength strength_of(Variant variant, int elo);

}  // namespace farrier
