// Fits search parameters to the results of games at fixed nodes, and keeps a file from which a run goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "engine/variants/variant.h"
#include "selfplay/match/pair_play.h"
#include "selfplay/match/player.h"
#include "selfplay/tune/spsa.h"

namespace farrier {

/// Where a running fit stands.
struct TuneProgress {
  const std::vector<SpsaParameter>& parameters;
  std::int64_t pairs_done;
  std::int64_t pairs_this_session;
  double seconds_this_session;
};

struct TuneSettings {
  std::vector<Variant> variants;  // pairs take turns
  std::vector<PlayerSpec> bases;  // by variant: the net and the limits of both players
  std::vector<SpsaParameter> parameters;
  SpsaSchedule schedule;
  OpeningSettings openings;
  MatchAdjudication adjudication;
  std::uint64_t seed = 1;
  int workers = 0;              // 0: one per core; the values fitted don't depend on it
  std::filesystem::path state;  // empty: an interrupted run is lost
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const TuneProgress&)> on_progress;  // after every batch
};

struct TuneResult {
  std::vector<SpsaParameter> parameters;
  std::int64_t pairs = 0;
  bool complete = false;  // false: interrupted
};

/// Plays batches of pairs, every pair of a batch about the same values, and learns from them in order: so the values
/// are the same whatever the number of workers. Throws UserError for a state file of other settings.
TuneResult run_tuning(const TuneSettings& settings);

}  // namespace farrier
