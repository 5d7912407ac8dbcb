// What a training begins with if not with random weights: an exported net, or another training's checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "trainer/adamw.h"
#include "trainer/transfer.h"

namespace farrier {

class StartingPoint {
 public:
  /// Reads a .fnn file, a checkpoint, or the newest checkpoint in a folder of a training or a run; of a checkpoint the
  /// best epoch's net is taken, or with `keep_optimizer` the last one, which the optimiser's state belongs to. Throws
  /// UserError, also for a net file with `keep_optimizer`.
  StartingPoint(const std::filesystem::path& source, bool keep_optimizer);

  /// "chess-10c4be97bd44.fnn, sha256 10c4be97bd44": which one it was.
  std::string text() const;
  bool keeps_optimizer() const { return keep_optimizer_; }

  /// Throws UserError that names the file if net_for() would or, with the optimiser kept, its state is of another shape.
  void require_fit(Variant variant, const Architecture& architecture) const;
  /// See transfer(). Throws UserError that names the file.
  FloatNet net_for(Variant variant, const Architecture& architecture, int scale_cp, std::uint64_t seed) const;
  /// Reads the checkpoint's optimiser state, whose shapes must be the same.
  AdamwState optimizer() const;

 private:
  std::filesystem::path file_;
  bool keep_optimizer_;
  std::string sha256_;
  NetOfVariant source_;
};

}  // namespace farrier
