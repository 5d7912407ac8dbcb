// Recorded games with new scores: from another net, or a deeper search.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/data/shard_set.h"

namespace farrier {

/// The scores depend on sources, net and limits alone, never on workers.
struct RescoreSettings {
  std::vector<std::string> sources;
  std::filesystem::path out;                 // a new folder; grows as out.tmp
  std::optional<std::filesystem::path> net;  // none: material
  std::optional<std::uint64_t> soft_nodes;   // one of the two, or both
  std::optional<int> depth;
  std::size_t hash_mib = 2;  // cleared for every game
  int workers = 0;           // 0: all cores
  std::uint64_t games_per_shard = 1000;
};

struct RescoreSummary {
  std::uint64_t games = 0;      // done, those of earlier calls included
  std::uint64_t all_games = 0;  // to do
  bool complete = false;        // otherwise stopped: the same command goes on
  bool was_complete = false;    // by an earlier call
  // Of this call:
  std::uint64_t searched_games = 0;
  std::uint64_t positions = 0;
  double seconds = 0;
};

/// Searches every ply after the random ones and keeps the games as they are; marks of exploration go, since the new
/// scores judge the position. A call after a kill goes on where the games were. Throws UserError.
RescoreSummary rescore_data(const RescoreSettings& settings, std::atomic<bool>& stop);
std::string rescore_text(const RescoreSettings& settings, const RescoreSummary& summary);

}  // namespace farrier
