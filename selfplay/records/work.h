// What the long verbs over records share: all cores, one progress line, a clean stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "selfplay/games/progress_line.h"

namespace farrier {

/// Games done of those there are, with rate and time left. Safe from any thread.
class WorkProgress {
 public:
  /// Quiet where standard output carries something else, JSON say.
  WorkProgress(std::uint64_t total_games, bool shown = true);
  ~WorkProgress();

  void add_game();

 private:
  std::mutex mutex_;
  ProgressLine line_;
  bool shown_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Calls `work(i)` for all i below `count`, on as many threads (0: all cores). If some fail, the failure of the lowest
/// i is thrown, so that a message does not depend on the number of threads.
void for_each_in_parallel(std::size_t count, int workers, const std::function<void(std::size_t)>& work);

/// Ends the work with one sentence if the user asked for it; `place` is what would have been written.
void throw_if_stopped(const std::atomic<bool>& stop, const std::string& place);

}  // namespace farrier
