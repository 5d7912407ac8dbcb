// Sums, and the agreement of scores with results, over a set of shards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/data/shard_set.h"

namespace farrier {

/// How often the score points at the side that won. Far below one half, the labels have the wrong viewpoint.
struct Coherence {
  std::uint64_t agreeing = 0;
  std::uint64_t judged = 0;  // positions of decided games that are scored beyond kClearScoreCp

  double share() const {
    return judged == 0 ? 0 : static_cast<double>(agreeing) / static_cast<double>(judged);
  }
};
constexpr int kClearScoreCp = 100;

struct DataStats {
  ShardSetSums sums;
  Coherence coherence;
};

/// Reads all games of the shards, one at a time.
DataStats measure_data(const std::vector<std::filesystem::path>& shards);
std::string stats_text(const DataStats& stats, std::size_t shards);

/// Replays every game under the rules; the first fault throws UserError with the game as FEN and moves.
/// Returns the sums of what was proved.
ShardSetSums prove_data(const std::vector<std::filesystem::path>& shards);

}  // namespace farrier
