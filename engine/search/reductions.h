// By how much late moves are searched less deeply.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/search/pruning.h"
#include "engine/search/search_params.h"

namespace farrier {

/// base + ln(depth) * ln(move number) * factor, in 1024ths of a ply.
class ReductionTable {
 public:
  explicit ReductionTable(const SearchParams& p) {
    for (int depth = 1; depth < kSize; ++depth)
      for (int move = 1; move < kSize; ++move)
        table_[depth][move] =
            static_cast<int>(p.reduction_base + p.reduction_factor * std::log(depth) * std::log(move));
  }
  int operator()(int depth, int move_number) const {
    return table_[std::min(depth, kSize - 1)][std::min(move_number, kSize - 1)];
  }

 private:
  static constexpr int kSize = 64;
  std::array<std::array<int, kSize>, kSize> table_{};
};

/// Plies taken off a move of the node, before it is proven to matter.
inline int late_move_reduction(const SearchParams& p, const ReductionTable& table, const NodeContext& n,
                               const MoveContext& m) {
  if (n.depth < params::kReductionMinDepth || m.number < 3 || n.in_check) return 0;
  int reduction = table(n.depth, m.number);
  if (n.is_pv) reduction -= p.reduction_pv;
  if (n.cut_node) reduction += p.reduction_cut_node;
  if (!n.improving) reduction += p.reduction_worsening;
  if (m.gives_check) reduction -= p.reduction_check;
  if (m.quiet) {
    if (n.noisy_table_move) reduction += p.reduction_noisy_table_move;
    if (m.is_killer) reduction -= p.reduction_killer;
    if (m.is_drop) reduction += p.reduction_drop;
    reduction -= m.history / 1024 * p.reduction_history;
  } else {
    reduction /= 2;
  }
  return std::max(reduction / 1024, 0);
}

}  // namespace farrier
