// A training under way: the model, its optimiser, and the checkpoint that is their image on disk.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trainer/batch_stream.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/learner.h"
#include "trainer/loss.h"
#include "trainer/schedules.h"
#include "trainer/starting_point.h"
#include "trainer/train_loop.h"
#include "trainer/training_events.h"
#include "trainer/validation.h"

namespace farrier {

/// Goes on from the newest checkpoint of its folder, which must be locked. Throws UserError.
class Training {
 public:
  /// Both must outlive it.
  Training(const TrainSettings& settings, const Dataset& dataset);

  /// Runs until the end, or until `stop` is set.
  TrainSummary run(std::atomic<bool>& stop);

 private:
  using Clock = std::chrono::steady_clock;

  bool resume();
  void begin_with(const StartingPoint& start);
  std::unique_ptr<BatchStream> training_batches(int epoch, std::int64_t first_step) const;
  /// Steps through the rest of the epoch; false if stopped on the way.
  bool run_epoch(std::atomic<bool>& stop);
  double step(const SparseBatch& batch);
  /// Throws UserError that names where the batch came from.
  [[noreturn]] void fail_step(const std::string& what) const;
  StreamOptions stream_options(int epoch) const;
  ValidationSums validation();
  void finish_epoch(const ValidationSums& sums);
  void save();
  void report();
  SparseBatch validation_sample() const;
  std::uint64_t seed() const;
  double train_loss() const;

  const TrainSettings& settings_;
  const TrainConfig& config_;
  const Dataset& dataset_;
  const Architecture architecture_;
  const int epochs_;
  std::size_t batch_size_;
  std::int64_t steps_per_epoch_;
  double coherence_ = 0;
  Labels labels_;  // of the validation: with the result weight that the training ends with
  double first_result_weight_ = 0;
  std::optional<LrSchedule> schedule_;
  std::unique_ptr<Learner> learner_;
  CheckpointFolder checkpoints_;
  std::optional<StartingPoint> start_;
  Checkpoint state_;
  std::optional<TrainingEvents> events_;
  std::vector<float> targets_;
  std::unique_ptr<BatchStream> upcoming_;  // of the next epoch

  Clock::time_point started_ = Clock::now();
  double seconds_before_ = 0;  // of earlier sessions
  std::int64_t steps_here_ = 0;
  double data_wait_share_ = 0;  // of the epoch's time, see BatchStream::seconds_waited
  Clock::time_point last_saved_ = started_;
  Clock::time_point last_reported_ = started_;
};

}  // namespace farrier
