// Shards of several runs and machines made one set, and a set split in two: by game, so that no game stands twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/records/shard_catalogue.h"

namespace farrier {

struct MergeSettings {
  std::vector<std::string> sources;
  std::filesystem::path out;  // a new folder
  bool keep_clashes = false;  // two shards that claim the same games of a run, and differ, are both taken
  int workers = 0;            // 0: all cores
};

struct MergeSummary {
  std::uint64_t shards = 0;  // written
  GameSums sums;             // written
  std::uint64_t repeated = 0;
  std::vector<std::string> notes;  // where sources differ: nets, settings, clashes
};

/// The order of the shards depends on what they hold, not on the order of the sources. Throws UserError.
MergeSummary merge_data(const MergeSettings& settings, const std::atomic<bool>& stop);
std::string merge_text(const MergeSettings& settings, const MergeSummary& summary);

struct SplitSettings {
  std::vector<std::string> sources;
  std::filesystem::path out;    // the part asked for
  std::filesystem::path rest;   // all other games
  std::optional<double> share;  // of the games, or
  std::optional<std::uint64_t> games;
  std::uint64_t seed = 1;
  int workers = 0;
};

struct SplitSummary {
  GameSums out, rest;
};

/// A game's part depends on the seed and on its content alone, so games that went alike stay together. Throws UserError.
SplitSummary split_data(const SplitSettings& settings, const std::atomic<bool>& stop);
std::string split_text(const SplitSettings& settings, const SplitSummary& summary);

}  // namespace farrier
