// The engine's clock as XBoard tells it: a control by `level` or `st`, and now and then the time left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/protocol/engine.h"

namespace farrier {

/// `level`: so many moves (0: all) in the base time, and an increment for each move.
struct XboardLevel {
  int moves = 0;
  std::int64_t base_ms = 0;
  std::int64_t increment_ms = 0;
  friend bool operator==(const XboardLevel&, const XboardLevel&) = default;
};

/// XBoard tells the time before our thinking only. For the time between, when the engine thinks on the
/// opponent's clock, it is reckoned from what was told last.
class XboardClock {
 public:
  /// A game begins under the same control.
  void reset() { left_ms_ = level_.base_ms; }
  void set_level(const XboardLevel& level) {
    level_ = level;
    move_ms_.reset();
    reset();
  }
  void set_move_time(std::int64_t ms) { move_ms_ = ms; }
  void tell(std::int64_t left_ms) { left_ms_ = left_ms; }

  /// Sets the time part of a request for the move after `moves_made` under this control.
  void limit(GoRequest& request, int moves_made) const {
    if (move_ms_) {
      request.move_time_ms = *move_ms_ - std::min(*move_ms_ / 5, kMoveReserveMs);
      return;
    }
    request.clock.time_ms = left_ms_;
    request.clock.increment_ms = level_.increment_ms;
    if (level_.moves > 0) request.clock.moves_to_go = level_.moves - moves_made % level_.moves;
  }

  /// A move took so long; it was number `moves_made` under this control.
  void spend(std::int64_t ms, int moves_made) {
    left_ms_ += level_.increment_ms - ms;
    if (level_.moves > 0 && moves_made % level_.moves == 0) left_ms_ += level_.base_ms;
  }

 private:
  /// `st` is a limit that XBoard enforces by its own clock, and what gets lost on the way there and back counts.
  static constexpr std::int64_t kMoveReserveMs = 150;

  XboardLevel level_{40, 300'000, 0};  // XBoard's own default
  std::optional<std::int64_t> move_ms_;
  std::int64_t left_ms_ = level_.base_ms;
};

}  // namespace farrier
