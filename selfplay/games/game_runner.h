// Plays one game of self-play.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/search/searcher.h"
#include "selfplay/data/game_record.h"
#include "selfplay/games/adjudication.h"
#include "selfplay/games/move_choice.h"
#include "selfplay/games/openings.h"

namespace farrier {

/// How each game of a run is played.
struct GameSettings {
  NodeSchedule nodes;
  ExplorationSettings exploration;
  int max_plies = 400;  // longer games count as draws
  OpeningSettings openings;
  AdjudicationSettings adjudication;
};

struct PlayedGame {
  GameRecord record;
  OpeningRejects rejects;
  std::uint64_t nodes = 0;
  std::chrono::nanoseconds searching{0};  // opening checks included
  std::uint64_t opening_key = 0;          // of the position that the opening leads to
};

/// The game of that seed: it depends on settings, seed and net alone, since `searcher` is cleared first.
/// Empty if `stop` was set before its end. Counts rejected openings in `live` as they occur.
template <VariantRules R>
std::optional<PlayedGame> play_game(Searcher<R>& searcher, const GameSettings& settings,
                                    std::uint64_t game_seed, const std::atomic<bool>& stop,
                                    LiveRejects& live);

}  // namespace farrier
