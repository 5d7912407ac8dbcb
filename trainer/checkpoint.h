// Where a training stands, in one file that is always whole: enough to go on to the same bits, and to export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
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

/// A checkpoint that can't be read because its bytes are not those that were written: another one may do.
class DamagedCheckpoint : public UserError {
 public:
  using UserError::UserError;
};

/// The bytes of a checkpoint file: an archive of LibTorch's, then the SHA-256 of it (LibTorch itself reads damaged
/// archives without a word).
std::string serialise_checkpoint(const Checkpoint& checkpoint, const AdamwState& optimizer);
/// Writes beside, then renames. Throws UserError.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                     const AdamwState& optimizer);
/// Reads a checkpoint, and the optimiser's state if it is asked for.
/// Throws DamagedCheckpoint for a file that is cut, changed or no checkpoint at all, UserError for one of another
/// version or that can't be read.
Checkpoint load_checkpoint(const std::filesystem::path& path, AdamwState* optimizer = nullptr);

inline constexpr const char* kCheckpointName = "checkpoint.pt";
inline constexpr const char* kMetricsName = "metrics.jsonl";

}  // namespace farrier
