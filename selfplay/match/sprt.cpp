#include "selfplay/match/sprt.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "selfplay/match/elo.h"

namespace farrier {
namespace {

constexpr double kEmptyCell = 0.001;
constexpr std::size_t kMaxCells = 5;

/// Observed frequencies of scores, and distributions of the same shape.
struct Cells {
  std::array<double, kMaxCells> values{};
  std::size_t size = 0;

  double& operator[](std::size_t i) { return values[i]; }
  double operator[](std::size_t i) const { return values[i]; }
  double score(std::size_t i) const { return static_cast<double>(i) / static_cast<double>(size - 1); }
};

/// The root in x of sum p_i v_i / (1 + x v_i): the Lagrange multiplier that turns `p` into the closest
/// distribution under which `v` has mean zero. The sum falls strictly between the two poles, so Newton's step
/// is taken where it stays inside the shrinking bracket, and halving elsewhere. False if `v` has only one
/// sign.
bool solve_multiplier(const Cells& p, const Cells& v, double& x) {
  double smallest = v[0], largest = v[0];
  for (std::size_t i = 1; i < v.size; ++i) {
    smallest = std::min(smallest, v[i]);
    largest = std::max(largest, v[i]);
  }
  if (smallest >= 0 || largest <= 0) return false;
  double low = -1 / largest, high = -1 / smallest;
  x = 0;
  for (int step = 0; step < 200; ++step) {
    double value = 0, slope = 0;
    for (std::size_t i = 0; i < v.size; ++i) {
      const double share = v[i] / (1 + x * v[i]);
      value += p[i] * share;
      slope -= p[i] * share * share;
    }
    (value > 0 ? low : high) = x;
    double next = x - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const bool settled = std::abs(next - x) <= 1e-14 * std::max(1.0, std::abs(x));
    x = next;
    if (settled) break;
  }
  return true;
}

/// The most likely distribution, given the frequencies `p`, whose mean score is `score`.
Cells fit_mean(const Cells& p, double score) {
  Cells v{.size = p.size};
  for (std::size_t i = 0; i < p.size; ++i) v[i] = p.score(i) - score;
  double x = 0;
  const bool solvable = solve_multiplier(p, v, x);
  assert(solvable);  // the score lies strictly between 0 and 1
  static_cast<void>(solvable);
  Cells fitted{.size = p.size};
  for (std::size_t i = 0; i < p.size; ++i) fitted[i] = p[i] / (1 + x * v[i]);
  return fitted;
}

/// Moves `fitted` to the most likely distribution whose (mean - 1/2) / deviation is `t`. That constraint is
/// not linear in the distribution, so it is replaced by its tangent at the last solution until nothing moves.
/// False if no distribution lies on a tangent.
bool settle_on_t_value(const Cells& p, double t, Cells& fitted) {
  for (int round = 0; round < 50; ++round) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < p.size; ++i) mean += fitted[i] * p.score(i);
    for (std::size_t i = 0; i < p.size; ++i)
      variance += fitted[i] * (p.score(i) - mean) * (p.score(i) - mean);
    const double deviation = std::sqrt(variance);
    Cells v{.size = p.size};
    for (std::size_t i = 0; i < p.size; ++i) {
      const double z = (p.score(i) - mean) / deviation;
      v[i] = p.score(i) - 0.5 - 0.5 * t * deviation * (1 + z * z);
    }
    double x = 0;
    if (!solve_multiplier(p, v, x)) return false;
    double change = 0;
    for (std::size_t i = 0; i < p.size; ++i) {
      const double next = p[i] / (1 + x * v[i]);
      change = std::max(change, std::abs(next - fitted[i]));
      fitted[i] = next;
    }
    if (change < 1e-10) break;
  }
  return true;
}

/// From the uniform distribution where that leads there; for counts far from a far hypothesis in steps from t
/// = 0, which every distribution can reach.
Cells fit_t_value(const Cells& p, double t) {
  Cells uniform{.size = p.size};
  for (std::size_t i = 0; i < p.size; ++i) uniform[i] = 1.0 / static_cast<double>(p.size);
  Cells fitted = uniform;
  if (settle_on_t_value(p, t, fitted)) return fitted;
  fitted = uniform;
  settle_on_t_value(p, 0, fitted);
  double reached = 0;
  for (double step = t / 4; reached != t && std::abs(step) > 1e-4;) {
    const double target = std::abs(t - reached) <= std::abs(step) ? t : reached + step;
    Cells next = fitted;
    if (settle_on_t_value(p, target, next)) {
      fitted = next;
      reached = target;
    } else {
      step /= 2;
    }
  }
  return fitted;
}

Cells fit(const Cells& p, double elo, SprtModel model) {
  if (model == SprtModel::Logistic) return fit_mean(p, score_of_elo(elo));
  // A pair's mean score deviates by 1/sqrt 2 of what one game's does.
  const double games_per_count = static_cast<double>(p.size - 1) / 2;
  return fit_t_value(p, std::sqrt(games_per_count) * elo / kNormalisedElo);
}

}  // namespace

std::string_view sprt_model_name(SprtModel model) {
  return model == SprtModel::Logistic ? "logistic" : "normalised";
}

std::string_view sprt_settings_fault(const SprtSettings& s) {
  if (!(s.elo0 < s.elo1)) return "elo0 must be below elo1";
  if (!(s.elo0 >= -1000 && s.elo1 <= 1000)) return "elo0 and elo1 must lie within -1000 and 1000";
  if (!(s.alpha > 0 && s.alpha < 0.5 && s.beta > 0 && s.beta < 0.5))
    return "alpha and beta must lie between 0 and 0.5";
  return {};
}

SprtBounds sprt_bounds(const SprtSettings& s) {
  return {std::log(s.beta / (1 - s.alpha)), std::log((1 - s.beta) / s.alpha)};
}

double log_likelihood_ratio(std::span<const double> counts, const SprtSettings& settings) {
  assert(counts.size() == 3 || counts.size() == 5);
  Cells p{.size = counts.size()};
  double total = 0;
  for (std::size_t i = 0; i < p.size; ++i) {
    p[i] = counts[i] > 0 ? counts[i] : kEmptyCell;
    total += p[i];
  }
  for (std::size_t i = 0; i < p.size; ++i) p[i] /= total;
  const Cells p0 = fit(p, settings.elo0, settings.model);
  const Cells p1 = fit(p, settings.elo1, settings.model);
  double mean = 0;
  for (std::size_t i = 0; i < p.size; ++i) mean += p[i] * std::log(p1[i] / p0[i]);
  return total * mean;
}

SprtVerdict sprt_verdict(std::span<const double> counts, const SprtSettings& settings) {
  double total = 0;
  for (double count : counts) total += count;
  if (total <= 0) return SprtVerdict::Continue;
  const double llr = log_likelihood_ratio(counts, settings);
  const SprtBounds bounds = sprt_bounds(settings);
  if (llr >= bounds.upper) return SprtVerdict::AcceptH1;
  if (llr <= bounds.lower) return SprtVerdict::AcceptH0;
  return SprtVerdict::Continue;
}

}  // namespace farrier
