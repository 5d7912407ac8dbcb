// What a shard says about its own origin: the attributes of SCHEMA.md.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/version.h"
#include "engine/variants/variant.h"

namespace farrier {

/// Version of the shard format that this program writes; it reads this and all older ones.
constexpr std::uint32_t kShardSchemaVersion = 2;

struct ShardInfo {
  Variant variant = Variant::Chess;
  std::string program = "farrier-selfplay " + std::string(program_version());
  std::string commit{program_commit()};
  std::string net = "material";  // or the SHA-256 of the net file that played
  std::uint64_t seed = 0;
  std::uint32_t generation = 0;
  std::uint64_t first_game = 0;  // index in the run of the shard's first game
  std::string settings;          // the run's settings, "key = value" lines

  friend bool operator==(const ShardInfo&, const ShardInfo&) = default;
};

}  // namespace farrier
