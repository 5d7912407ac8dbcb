// The piece in which a pass over data works: some games of a shard.
#pragma once

#include <cstdint>

namespace farrier {

/// Some games of a shard, one after the other.
struct DataBlock {
  std::uint32_t shard = 0;
  std::uint32_t games = 0;
  std::uint64_t first_game = 0;
  double share = 1;  // of its games that are used
};

}  // namespace farrier
