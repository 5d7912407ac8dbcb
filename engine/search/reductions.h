// By how much late moves are searched less deeply.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/search/search_params.h"

namespace farrier {

class ReductionTable {
 public:
  ReductionTable() {
    for (int depth = 1; depth < kSize; ++depth)
      for (int move = 1; move < kSize; ++move)
        table_[depth][move] = static_cast<int>(params::kReductionBase +
                                               std::log(depth) * std::log(move) / params::kReductionDivisor);
  }
  int operator()(int depth, int move_number) const {
    return table_[std::min(depth, kSize - 1)][std::min(move_number, kSize - 1)];
  }

 private:
  static constexpr int kSize = 64;
  std::array<std::array<int, kSize>, kSize> table_{};
};

/// Plies taken off the `move_number`th move (from 1) of a node, before it is proven to matter.
inline int late_move_reduction(const ReductionTable& table, int depth, int move_number, bool is_pv,
                               bool quiet, int history) {
  if (depth < params::kReductionMinDepth || move_number < 3) return 0;
  int reduction = table(depth, move_number);
  if (is_pv) --reduction;
  if (quiet)
    reduction -= history / params::kReductionHistoryDivisor;
  else
    reduction /= 2;
  return std::max(reduction, 0);
}

}  // namespace farrier
