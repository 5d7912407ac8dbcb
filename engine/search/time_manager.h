// How much of the clock one move may take.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/chess/move.h"
#include "engine/search/limits.h"

namespace farrier {

/// A clock as protocols tell it, in milliseconds; unset where the side has none. Any value may come: GUIs send
/// zero and negative ones to a side that has overstepped.
struct Clock {
  std::optional<std::int64_t> time_ms;
  std::int64_t increment_ms = 0;
  int moves_to_go = 0;  // until the next time control; 0 for sudden death
};

/// Sets soft and hard time limits for one move on that clock, if it has a time; `overhead_ms` is kept back for
/// what is lost between engine and GUI.
void set_time_limits(SearchLimits& limits, const Clock& clock, std::int64_t overhead_ms);

/// How long the best move has stood: a search need not go on to confirm what is settled.
class MoveStability {
 public:
  /// To be told the best move and its score after every iteration.
  void observe(Move best, int score_cp);
  /// What to multiply the soft time by: below 1 for a settled move, above where it changes or its score falls.
  double time_factor() const;

 private:
  Move best_;
  int iterations_same_ = 0;
  int score_cp_ = 0;
  int fall_cp_ = 0;  // of the score in the last iteration
};

}  // namespace farrier
