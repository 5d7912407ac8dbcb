// A training as TensorBoard sees it: its epochs' metrics, and loss and learning rate on the way.
#pragma once

#include <filesystem>

#include "trainer/checkpoint.h"
#include "trainer/metrics.h"
#include "trainer/tensorboard_events.h"

namespace farrier {

class TrainingEvents {
 public:
  /// Goes on with the file in `folder` where `progress` stands. If the file is gone, the finished epochs are told again.
  TrainingEvents(const std::filesystem::path& folder, const TrainProgress& progress,
                 std::int64_t steps_in_all);

  /// A step that was done, numbered from 1; about one in a thousandth of the training is told, with the loss of its
  /// batch alone: a mean over the steps between would depend on where the training was interrupted.
  void add_step(std::int64_t step, double loss, double lr);
  void add_epoch(const MetricsLine& line);
  /// Makes it durable; returns what TrainProgress::event_bytes has to be.
  std::int64_t sync() { return file_.sync(); }

 private:
  EventFile file_;
  std::int64_t steps_between_;
};

}  // namespace farrier
