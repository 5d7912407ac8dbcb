// Many trainings on the same data, each in a folder of its own, and a table of what they came to.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/match/pentanomial.h"
#include "trainer/metrics.h"
#include "trainer/sweep_plan.h"
#include "trainer/train_loop.h"

namespace farrier {

struct SweepSettings {
  Experiment experiment;
  std::vector<SweepAxis> axes;
  int seeds = 1;
  int generation = 0;
  std::vector<DataSource> data;
  std::filesystem::path out;  // gets a folder for each training, sweep.json and sweep.txt
  std::string device = kCpuDevice;
  /// What every training begins with: see StartingPoint.
  std::optional<std::filesystem::path> from;
  bool keep_optimizer = false;

  bool elo = false;                   // play each net against ...
  std::string against;                // ... this net file or "material"; empty: the first training's net
  std::optional<int> nodes;           // instead of [gate].nodes
  std::optional<std::int64_t> games;  // instead of [gate].games
};

/// A net's match against the reference.
struct SweepElo {
  GameCounts games;
  std::optional<double> elo;
  std::optional<double> error;  // half of the 95% interval
};

struct SweepResult {
  enum class State : std::uint8_t { Waiting, Stopped, Finished, Failed };
  State state = State::Waiting;
  std::string fault;  // why it failed
  TrainSummary training;
  std::optional<MetricsLine> best;  // the best epoch's metrics
  std::filesystem::path net;        // if Elo was asked for
  bool is_reference = false;
  std::optional<SweepElo> elo;
};

struct SweepOutcome {
  std::vector<SweepPoint> points;
  std::vector<SweepResult> results;  // one a point
  bool stopped = false;

  bool complete() const;
};

/// Trains what is not trained yet, then plays what is not played yet. One training's failure, as by a loss that is no
/// number, is noted and the others go on. Setting `stop` ends it soon; the same call goes on. Throws UserError before
/// anything is trained for a wrong axis or wrong data.
SweepOutcome run_sweep(const SweepSettings& settings, std::atomic<bool>& stop);

/// The results as a table for people, with means over seeds if there are several.
std::string sweep_table(const SweepOutcome& outcome);

}  // namespace farrier
