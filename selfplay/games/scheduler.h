// A run of self-play: games in parallel under oneTBB, into shards, resumed where it was.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "selfplay/data/shard_set.h"
#include "selfplay/games/selfplay_settings.h"

namespace farrier {

struct SelfplaySummary {
  GameSums sums;                  // of the whole folder, up to the target
  std::uint64_t bytes = 0;        // of its shards
  bool shards_hold_more = false;  // games beyond a target that was lowered
  bool complete = false;          // the target is reached; otherwise the run was stopped
  std::uint64_t kept_games = 0;   // of a stopped run: games from which it will go on
  // Of this session alone:
  std::uint64_t played_games = 0;
  std::uint64_t nodes = 0;
  OpeningRejects rejects;
  std::uint64_t repeated_openings =
      0;  // games from a position from which one was played before in this session
  double seconds = 0;
  double outside_search_share = 0;  // of the workers' time
};

/// Plays until the target is reached or `stop` is set; shows progress on stdout. Called again with the same
/// settings it goes on where it was, and a larger target adds games. Throws UserError.
SelfplaySummary generate_games(const SelfplaySettings& settings, std::atomic<bool>& stop);

/// The summary as the user reads it, several lines.
std::string summary_text(const SelfplaySummary& summary);

}  // namespace farrier
