#include "selfplay/match/elo.h"

#include <fmt/core.h>

#include <cassert>
#include <cmath>

namespace farrier {

double score_of_elo(double elo) { return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0)); }

double elo_of_score(double score) {
  assert(score > 0 && score < 1);
  return 400.0 * std::log10(score / (1.0 - score));
}

namespace {

/// Elo of an end of an interval; none where the score is beyond what any Elo reaches.
std::optional<double> elo_if_finite(double score) {
  if (score <= 0 || score >= 1) return std::nullopt;
  return elo_of_score(score);
}

/// All points on one side: the one end of the interval that exists (see EloEstimate::elo_low).
void bound_a_clean_sweep(EloEstimate& e) {
  const double bound = std::pow(0.025, 1.0 / e.count);
  if (e.score > 0.5) {
    e.elo_low = elo_if_finite(bound);
    e.los = 1.0;
  } else {
    e.elo_high = elo_if_finite(1.0 - bound);
    e.los = 0.0;
  }
}

}  // namespace

EloEstimate estimate_elo(std::span<const double> counts) {
  assert(counts.size() == 3 || counts.size() == 5);
  const double steps = static_cast<double>(counts.size() - 1);
  const double games_per_count = steps / 2;

  EloEstimate e;
  double points = 0;
  int cells_used = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    e.count += counts[i];
    points += counts[i] * static_cast<double>(i) / steps;
    if (counts[i] > 0) ++cells_used;
  }
  assert(e.count > 0);
  e.score = points / e.count;
  e.middle_ratio = counts[counts.size() / 2] / e.count;
  e.elo = elo_if_finite(e.score);
  if (cells_used == 1) {  // equal results tell no variance
    if (!e.elo) bound_a_clean_sweep(e);
    return e;
  }

  double variance = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double deviation = static_cast<double>(i) / steps - e.score;
    variance += counts[i] / e.count * deviation * deviation;
  }
  const double standard_error = std::sqrt(variance / e.count);
  e.elo_low = elo_if_finite(e.score - kZ95 * standard_error);
  e.elo_high = elo_if_finite(e.score + kZ95 * standard_error);
  if (e.elo_low && e.elo_high) e.elo_error = (*e.elo_high - *e.elo_low) / 2;
  e.nelo = kNormalisedElo * (e.score - 0.5) / std::sqrt(games_per_count * variance);
  e.nelo_error = kZ95 * kNormalisedElo / std::sqrt(games_per_count * e.count);
  e.los = 0.5 * std::erfc(-(e.score - 0.5) / standard_error / std::sqrt(2.0));
  return e;
}

std::string elo_text(const EloEstimate& e) {
  if (!e.elo) {
    const bool won = e.score > 0.5;
    std::string text = won ? "won every game: no finite Elo" : "lost every game: no finite Elo";
    if (won && e.elo_low) text += fmt::format(", at least {:+.0f} (97.5%)", *e.elo_low);
    if (!won && e.elo_high) text += fmt::format(", at most {:+.0f} (97.5%)", *e.elo_high);
    return text;
  }
  std::string text = fmt::format("Elo {:+.1f}", *e.elo);
  if (!e.nelo) return text + ", every result the same: no error can be told";
  if (e.elo_error)
    text += fmt::format(" +- {:.1f} (95%)", *e.elo_error);
  else if (e.elo_low)
    text += fmt::format(" (95%: above {:+.1f})", *e.elo_low);
  else if (e.elo_high)
    text += fmt::format(" (95%: below {:+.1f})", *e.elo_high);
  else
    text += " (too few games for an error)";
  return text + fmt::format(", nElo {:+.1f} +- {:.1f}, LOS {:.1f}%", *e.nelo, *e.nelo_error, 100 * *e.los);
}

}  // namespace farrier
