// Time controls as text and as a running clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace farrier {

/// So much time for so many moves, again and again, and an increment after every move.
struct TimeControl {
  int moves = 0;  // a session's length; 0: the time is for the whole game
  std::chrono::milliseconds base{0};
  std::chrono::milliseconds increment{0};
  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

/// "10+0.1", "40/60+0.6", "300": [moves/]seconds[+seconds].
Result<TimeControl> parse_time_control(std::string_view text);
/// The same form; PGN writes it likewise.
std::string to_text(const TimeControl& control);

/// What a clock shows to the players before a move.
struct ClockReading {
  std::int64_t time_ms = 0;
  std::int64_t increment_ms = 0;
  int moves_to_go = 0;  // 0: no further time control
};

/// One player's clock during one game.
class GameClock {
 public:
  explicit GameClock(const TimeControl& control);

  ClockReading reading() const;
  /// Charges a move. False if the time ran out by more than `margin`; less than that is forgiven.
  bool spend(std::chrono::nanoseconds elapsed, std::chrono::nanoseconds margin);

 private:
  TimeControl control_;
  std::chrono::nanoseconds left_;
  int moves_to_go_;
};

}  // namespace farrier
