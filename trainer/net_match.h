// A match of two nets as the gate of `run` and the Elo of `sweep` play it: fixed nodes, random openings, in a journal.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "selfplay/match/match_settings.h"
#include "trainer/config.h"

namespace farrier {

struct NetMatch {
  std::filesystem::path a, b;  // net files; empty for material
  int nodes = 500;             // a move, for both sides
  std::int64_t games = 400;
  std::optional<SprtSettings> sprt;
  std::uint64_t seed = 1;
  std::filesystem::path journal;
};

/// Random openings as [selfplay] asks for them.
OpeningSettings random_openings(const SelfplayConfig& config);

/// Plays it, or the rest that the journal lacks, with a line of progress. Empty if `stop` ended it. Throws UserError.
std::optional<MatchResult> play_net_match(const Experiment& experiment, const NetMatch& match,
                                          const std::atomic<bool>& stop);

}  // namespace farrier
