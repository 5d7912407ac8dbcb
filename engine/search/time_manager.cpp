#include "engine/search/time_manager.h"

#include <algorithm>

#include "engine/search/search_params.h"

namespace farrier {

void set_time_limits(SearchLimits& limits, const Clock& clock, std::int64_t overhead_ms) {
  if (!clock.time_ms) return;
  constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // 34 years: sums stay far from overflow
  const std::int64_t time = std::clamp<std::int64_t>(*clock.time_ms, 0, kLongest);
  const std::int64_t increment = std::clamp<std::int64_t>(clock.increment_ms, 0, kLongest);
  // Not shared out: what several late wake-ups in a row may cost, or half of a clock that holds no more.
  const std::int64_t reserve =
      std::max(overhead_ms, std::min(time / 2, params::kReserveOverheads * overhead_ms));
  const std::int64_t left = std::max<std::int64_t>(time - reserve, 1);
  const std::int64_t moves =
      clock.moves_to_go > 0 ? std::min(clock.moves_to_go, params::kMovesAhead) : params::kMovesAhead;
  // What is lost on the way is lost on every move: an increment that barely covers it must not be spent, or the clock
  // sinks to where one late wake-up oversteps it.
  const std::int64_t usable_increment = std::max<std::int64_t>(increment - overhead_ms, 0);
  const std::int64_t share = left / moves + usable_increment * 3 / 4;
  // An iteration takes about as long as all before it, so a soft limit below the share keeps to it on average.
  limits.soft_time_ms = std::clamp<std::int64_t>(share * params::kSoftTimePercent / 100, 1, left);
  const std::int64_t longest = moves == 1 ? left * 4 / 5 : left * params::kHardTimeOfClockPercent / 100;
  limits.hard_time_ms =
      std::clamp<std::int64_t>(share * params::kHardTimeShares, 1, std::max<std::int64_t>(longest, 1));
}

void MoveStability::observe(Move best, int score_cp) {
  iterations_same_ = best == best_ ? iterations_same_ + 1 : 0;
  fall_cp_ = std::max(0, score_cp_ - score_cp);
  best_ = best;
  score_cp_ = score_cp;
}

double MoveStability::time_factor() const {
  const double settled = std::max(0.6, 1.3 - 0.1 * iterations_same_);
  const double falling = 1.0 + std::min(fall_cp_, 60) / 100.0;
  return settled * falling;
}

}  // namespace farrier
