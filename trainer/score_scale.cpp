#include "trainer/score_scale.h"

#include <algorithm>
#include <cmath>

namespace farrier {

double expected_result(double score_cp, double scale_cp) {
  return 1.0 / (1.0 + std::exp(-score_cp / scale_cp));
}

void ScoreHistogram::add(int score_cp_stm, int result_stm) {
  Bin& bin = bins_[static_cast<std::size_t>(std::clamp(score_cp_stm, -kLimit, kLimit) + kLimit)];
  ++bin.positions;
  bin.half_points += result_stm + 1;
  if (result_stm != 0) ++bin.decisive;
  if (result_stm > 0) ++bin.wins;
}

int ScoreHistogram::fit_scale_cp() const {
  constexpr double kSmallest = 50;
  constexpr double kLargest = 2000;
  // The log-likelihood's slope in 1 / scale falls steadily, so its root is bracketed and halved.
  const auto slope = [this](double scale) {
    double sum = 0;
    for (int score = -kLimit; score <= kLimit; ++score) {
      const Bin& bin = bins_[static_cast<std::size_t>(score + kLimit)];
      if (bin.positions == 0) continue;
      const double points = static_cast<double>(bin.half_points) / 2;
      sum += score * (points - static_cast<double>(bin.positions) * expected_result(score, scale));
    }
    return sum;
  };
  double low = 1 / kLargest;
  double high = 1 / kSmallest;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (slope(1 / middle) > 0 ? low : high) = middle;
  }
  return static_cast<int>(std::lround(2 / (low + high)));
}

double ScoreHistogram::coherence() const {
  constexpr int kClear = 300;
  std::int64_t agreeing = 0;
  std::int64_t all = 0;
  for (int score = kClear; score <= kLimit; ++score) {
    const Bin& winning = bins_[static_cast<std::size_t>(score + kLimit)];
    const Bin& losing = bins_[static_cast<std::size_t>(-score + kLimit)];
    agreeing += winning.wins + losing.decisive - losing.wins;
    all += winning.decisive + losing.decisive;
  }
  return all == 0 ? 0.5 : static_cast<double>(agreeing) / static_cast<double>(all);
}

std::int64_t ScoreHistogram::positions() const {
  std::int64_t sum = 0;
  for (const Bin& bin : bins_) sum += bin.positions;
  return sum;
}

}  // namespace farrier
