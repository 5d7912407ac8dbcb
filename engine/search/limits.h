// When a search stops, and how another thread steers it meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/chess/move.h"

namespace farrier {

/// The other thread's hand on a running search. Set up before the search, then safe from any thread.
class SearchControl {
 public:
  /// Ends the search within some hundred nodes.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// On the opponent's time: no time limit holds until he plays the expected move. The time spent so far then counts.
  void ponder() { pondering_.store(true, std::memory_order_relaxed); }
  void ponder_hit() { pondering_.store(false, std::memory_order_relaxed); }
  bool is_pondering() const { return pondering_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stopped_{false};
  std::atomic<bool> pondering_{false};
};

/// All limits hold together; the first one reached ends the search. Unset means unlimited.
struct SearchLimits {
  std::optional<std::uint64_t> hard_nodes;  // stop at once (counted over all threads)
  std::optional<std::uint64_t> soft_nodes;  // start no further iteration beyond
  std::optional<int> depth;
  std::optional<int> mate;                   // a mate in at most so many moves is found
  std::optional<std::int64_t> hard_time_ms;  // stop at once
  /// Start no further iteration beyond; sooner where the best move is settled, later where it is not.
  std::optional<std::int64_t> soft_time_ms;
  std::vector<Move> search_moves;  // empty: all
  int multi_pv = 1;                // so many best moves, each with its line
  /// Must outlive the search; null: nobody steers.
  const SearchControl* control = nullptr;
};

}  // namespace farrier
