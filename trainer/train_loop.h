// Fits a net to recorded games: epochs of steps, a validation after each, checkpoints all along.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "trainer/config.h"
#include "trainer/dataset.h"
#include "trainer/device.h"

namespace farrier {

/// In a training's folder, held by the process that is at work there.
inline constexpr const char* kTrainLockName = "train.lock";

struct TrainSettings {
  Variant variant = Variant::Chess;
  NetConfig net;
  TrainConfig config;
  int generation = 0;  // which of the per-generation values hold
  std::uint64_t seed = 1;
  std::vector<DataSource> data;
  std::filesystem::path out;  // gets checkpoints (see CheckpointFolder), metrics.jsonl, TensorBoard's events
  /// Where the first weights come from (see StartingPoint); absent: they are random.
  std::optional<std::filesystem::path> from;
  bool keep_optimizer = false;
  /// See device.h. No part of what the training is: it may go on elsewhere, its last bits then depend on where it was.
  std::string device = kCpuDevice;
};

struct TrainSummary {
  bool finished = false;  // false: stopped on request; the checkpoint goes on from there
  std::int64_t games = 0;
  std::int64_t training_positions = 0;
  std::int64_t validation_positions = 0;
  FilterCounts filtered;
  Architecture architecture;
  int scale_cp = 0;
  double coherence = 0;  // of score and result, see ScoreHistogram
  int epochs = 0;        // done
  int best_epoch = 0;
  double best_validation_loss = 0;
  double seconds = 0;               // training, over all sessions
  double positions_per_second = 0;  // of this session
  std::filesystem::path checkpoint;
};

/// A training as the experiment asks for it in that generation; data and folder are left to be told.
TrainSettings training_of(const Experiment& experiment, int generation);

/// Trains, or goes on where the checkpoint in `out` stands, to the same weights as without a break. Setting
/// `stop` ends it soon with a checkpoint. Throws UserError: data, folder, device, a checkpoint of other settings, or
/// a loss that is no number.
TrainSummary train(const TrainSettings& settings, std::atomic<bool>& stop);
/// The same from a data set that is open already.
TrainSummary train(const TrainSettings& settings, const Dataset& dataset, std::atomic<bool>& stop);

}  // namespace farrier
