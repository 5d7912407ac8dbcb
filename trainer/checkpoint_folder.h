// The checkpoints of one training side by side: the newest, those of the last epochs, the best.
//
//   checkpoint.pt             the newest: written at the end of each epoch, every minute, and when stopped
//   checkpoint-epoch-007.pt   the last three finished epochs
//   best.pt                   the epoch with the best validation loss
//
// Each is whole in itself: a training goes on from it and a net can be exported from it (always that of the best
// epoch so far, which every checkpoint carries).
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "trainer/checkpoint.h"

namespace farrier {

inline constexpr const char* kBestCheckpointName = "best.pt";

struct FoundCheckpoint {
  std::filesystem::path path;
  Checkpoint checkpoint;
};

class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// All checkpoints here, the newest first.
  std::vector<std::filesystem::path> all() const;
  /// The newest one that is whole, with the optimiser's state if it is asked for; damaged ones are told in the log and
  /// passed over. Nothing if there is none at all; throws UserError if all are damaged.
  std::optional<FoundCheckpoint> load_newest(AdamwState* optimizer = nullptr) const;

  /// Where an epoch under way stands. Throws UserError.
  void save(const Checkpoint& checkpoint, const AdamwState& optimizer) const;
  /// The end of an epoch. Throws UserError.
  void save_epoch(const Checkpoint& checkpoint, const AdamwState& optimizer) const;

 private:
  std::vector<std::filesystem::path> epochs() const;  // the last one first

  std::filesystem::path folder_;
};

/// The checkpoint that `source` is, or the newest whole one in that folder of a training or of a run (there of its
/// last generation). Throws UserError if there is none.
FoundCheckpoint find_checkpoint(const std::filesystem::path& source);

}  // namespace farrier
