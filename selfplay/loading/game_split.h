// Which games train and which validate.
#pragma once

#include <cstdint>

#include "engine/base/rng.h"

namespace farrier {

/// A game belongs to one part with all its positions, decided by its seed alone.
enum class DataPart : std::uint8_t { Training, Validation, All };

struct GameSplit {
  double validation_share = 0;  // of games, never of positions

  DataPart part_of(std::uint64_t game_seed) const {
    Rng rng(derive_seed(game_seed, 0x5A11D, 0));
    return rng.uniform() < validation_share ? DataPart::Validation : DataPart::Training;
  }
  friend bool operator==(const GameSplit&, const GameSplit&) = default;
  bool has(DataPart part, std::uint64_t game_seed) const {
    return part == DataPart::All || part_of(game_seed) == part;
  }
};

}  // namespace farrier
