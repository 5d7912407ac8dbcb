// When a search stops.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/chess/move.h"

namespace farrier {

/// All limits hold together; the first one reached ends the search. Unset means unlimited.
struct SearchLimits {
  std::optional<std::uint64_t> hard_nodes;  // stop at once (counted over all threads)
  std::optional<std::uint64_t> soft_nodes;  // start no further iteration beyond
  std::optional<int> depth;
  std::optional<std::int64_t> hard_time_ms;
  std::optional<std::int64_t> soft_time_ms;
  std::vector<Move> search_moves;  // empty: all
  /// Set by another thread to end the search within about a thousand nodes; may be null.
  const std::atomic<bool>* abort = nullptr;
};

}  // namespace farrier
