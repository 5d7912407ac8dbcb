// How the learning rate moves over a training.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace farrier {

/// A straight rise over the first steps, then half a cosine from `start` down to `end`.
struct CosineSchedule {
  double start = 1e-3;
  double end = 2e-6;
  std::int64_t warmup_steps = 0;
  std::int64_t steps = 1;

  /// For step 0 to steps - 1.
  double at(std::int64_t step) const {
    const std::int64_t warmup = std::min(warmup_steps, steps / 10);
    if (step < warmup) return start * static_cast<double>(step + 1) / static_cast<double>(warmup + 1);
    const double share =
        static_cast<double>(step - warmup) / static_cast<double>(std::max<std::int64_t>(1, steps - warmup));
    return end + (start - end) * 0.5 * (1 + std::cos(std::numbers::pi * share));
  }
};

}  // namespace farrier
