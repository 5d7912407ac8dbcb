// What an XBoard conversation waits for: the next line, or the end of the search that it has started.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/chess/move.h"

namespace farrier {

struct BestMove {
  Move best, reply;
};

/// Filled by the reading and the searching thread, emptied by the one that talks: so that it can listen while
/// a search runs, and start the next search itself when one ends.
class XboardInbox {
 public:
  void put(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_one();
  }
  void put(BestMove best) {
    const std::lock_guard lock(mutex_);
    best_ = best;
    changed_.notify_one();
  }
  /// No line follows.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

  /// Waits for anything. Lines go first, so that a `force` that has come holds a move back.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !lines_.empty() || best_ || closed_; });
  }
  std::optional<std::string> take_line() {
    const std::lock_guard lock(mutex_);
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }
  std::optional<BestMove> take_best() {
    const std::lock_guard lock(mutex_);
    return std::exchange(best_, std::nullopt);
  }
  /// Whether all lines are taken and none follows.
  bool at_end() const {
    const std::lock_guard lock(mutex_);
    return closed_ && lines_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::optional<BestMove> best_;
  bool closed_ = false;
};

}  // namespace farrier
