#include "selfplay/match/latency_histogram.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace farrier {

void LatencyHistogram::add(std::chrono::nanoseconds latency) {
  const std::int64_t us =
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(latency).count(), 0);
  const auto cell = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(us)));
  ++cells_[std::min(cell, cells_.size() - 1)];
  for (std::int64_t worst = worst_us_; us > worst && !worst_us_.compare_exchange_weak(worst, us);) {
  }
}

std::int64_t LatencyHistogram::count() const {
  std::int64_t count = 0;
  for (const auto& cell : cells_) count += cell;
  return count;
}

std::string LatencyHistogram::text() const {
  const std::int64_t all = count();
  const auto bound_of = [&](double share) {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (static_cast<double>(below += cells_[i]) >= share * static_cast<double>(all))
        return std::int64_t{1} << i;
    return std::int64_t{1} << cells_.size();
  };
  std::string text = fmt::format("{} moves, median below {} us, 99% below {} us, worst {} us\n", all,
                                 bound_of(0.5), bound_of(0.99), worst_us_.load());
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i] > 0) text += fmt::format("  below {:>9} us: {}\n", std::int64_t{1} << i, cells_[i].load());
  return text;
}

}  // namespace farrier
