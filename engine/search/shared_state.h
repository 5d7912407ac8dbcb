// What the threads of one search have in common.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/search/limits.h"
#include "engine/search/transposition_table.h"

namespace farrier {

/// A thread's own node count, alone on its cache line. Written by that thread only.
struct alignas(64) NodeCounter {
  std::atomic<std::uint64_t> nodes{0};
};

struct SharedState {
  SharedState(std::size_t hash_mib, int threads)
      : table(hash_mib), counters(static_cast<std::size_t>(threads)) {}

  TranspositionTable table;
  SearchLimits limits;
  std::chrono::steady_clock::time_point start;
  std::atomic<bool> stop{false};
  std::vector<NodeCounter> counters;  // by thread

  std::uint64_t total_nodes() const {
    std::uint64_t sum = 0;
    for (const NodeCounter& c : counters) sum += c.nodes.load(std::memory_order_relaxed);
    return sum;
  }
  /// Since the search began.
  std::int64_t elapsed_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start)
        .count();
  }
  bool is_pondering() const { return limits.control != nullptr && limits.control->is_pondering(); }
};

}  // namespace farrier
