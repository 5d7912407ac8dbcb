// metrics.jsonl read back: one line of JSON an epoch. Keys that a line lacks, as those of older trainings do, are told as
// unknown, never guessed; keys that nobody here knows are shown all the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "trainer/tensorboard_events.h"

namespace farrier {

using MetricsLine = nlohmann::ordered_json;

/// The number under `key`; empty if there is none.
std::optional<double> number_in(const MetricsLine& line, const char* key);

/// The lines of a training and its place.
struct TrainingMetrics {
  std::filesystem::path folder;
  std::vector<MetricsLine> epochs;  // at least one

  /// The last epoch that was the best so far.
  const MetricsLine& best() const;
};

/// Parses the lines of a metrics file or of a checkpoint. Throws UserError, with `origin` as the place.
std::vector<MetricsLine> parse_metrics(const std::vector<std::string>& lines, const std::string& origin);
/// Writes metrics.jsonl beside, then renames.
void write_metrics(const std::filesystem::path& folder, const std::vector<std::string>& lines);
/// The training in `source`: its own folder, a generation's of a run, or a run's (then its last generation). Throws
/// UserError if nothing there tells of a finished epoch.
TrainingMetrics load_training_metrics(const std::filesystem::path& source);

/// A line's numbers for TensorBoard: validation_loss as "validation/loss", the phases as "phase result_loss/24-28 men",
/// what has no group of its own under "epoch".
std::vector<Scalar> scalars_of(const MetricsLine& line);

/// An epoch's losses, phases and calibration in a few lines, for the end of a training.
std::string validation_report(const MetricsLine& line);

}  // namespace farrier
