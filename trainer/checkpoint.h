// Where a training stands, in one file that is always whole: enough to go on to the same bits, and to export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/variants/variant.h"
#include "trainer/adamw.h"
#include "trainer/float_net.h"
#include "trainer/sparse_batch.h"

namespace farrier {

/// How far a training has come. All randomness follows from the seed, the epoch and the step, so that these
/// are the whole state of its random numbers.
struct TrainProgress {
  int epoch = 0;          // finished epochs
  std::int64_t step = 0;  // steps done in the epoch under way
  double loss_sum = 0;    // over those steps
  int best_epoch = 0;     // counted from 1; 0: none yet
  double best_loss = 0;
  bool finished = false;
  double seconds = 0;                // spent training, over all sessions
  std::vector<std::string> metrics;  // lines of metrics.jsonl, one a finished epoch
  std::int64_t event_bytes = 0;      // of the TensorBoard file that belong to it
};

struct Checkpoint {
  Variant variant = Variant::Chess;
  int scale_cp = 400;
  /// Everything that shapes the weights, as text: a training goes on only under the same.
  std::string settings;
  /// For the net's own notes: data, losses, ...
  std::map<std::string, std::string> notes;
  TrainProgress progress;
  FloatNet net;
  FloatNet best;       // of progress.best_epoch; equals `net` before the first one
  SparseBatch sample;  // validation positions on which export measures the rounding error
};

/// Writes beside, then renames. Throws UserError.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                     const AdamwState& optimizer);
/// Reads a checkpoint, and the optimiser's state if it is asked for. Throws UserError for a file that is no checkpoint
/// or is cut.
Checkpoint load_checkpoint(const std::filesystem::path& path, AdamwState* optimizer = nullptr);

/// `source` itself, or the checkpoint inside of that training or run folder (of its last generation). Throws
/// UserError if there is none.
std::filesystem::path find_checkpoint(const std::filesystem::path& source);

inline constexpr const char* kCheckpointName = "checkpoint.pt";
inline constexpr const char* kMetricsName = "metrics.jsonl";

}  // namespace farrier
