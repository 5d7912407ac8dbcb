#include "selfplay/match/sprt_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "selfplay/match/elo.h"

namespace farrier {
namespace {

/// Four pairs of independent games, 20% of them drawn and the others shared evenly.
constexpr std::array<double, 5> kMixedIn{0.64, 0.64, 1.44, 0.64, 0.64};
constexpr std::size_t kBarCells = 17;

/// The mean of a pair's score above one half, over its deviation: what one pair tells.
double t_value(double elo, SprtModel model, double deviation) {
  if (model == SprtModel::Normalised) return std::sqrt(2.0) * elo / kNormalisedElo;
  return (score_of_elo(elo) - 0.5) / deviation;
}

std::string lead_text(double elo, SprtModel model, double deviation) {
  const Lead lead = lead_of(elo, model, deviation);
  if (!lead.score) return "here beyond any score";
  if (model == SprtModel::Logistic)
    return fmt::format("a score of {:.1f}%, here {:+.1f} normalised", 100 * *lead.score, lead.nelo);
  return fmt::format("here {:+.1f} Elo, a score of {:.1f}%", *lead.elo, 100 * *lead.score);
}

}  // namespace

double pair_deviation(const Pentanomial& pairs) {
  const std::array<double, 5> counted = pairs.cells();
  double count = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double share = counted[i] + kMixedIn[i];
    count += share;
    mean += share * static_cast<double>(i) / 4;
  }
  mean /= count;
  for (std::size_t i = 0; i < 5; ++i) {
    const double distance = static_cast<double>(i) / 4 - mean;
    variance += (counted[i] + kMixedIn[i]) / count * distance * distance;
  }
  return std::sqrt(variance);
}

Lead lead_of(double elo, SprtModel model, double deviation) {
  const double score = 0.5 + deviation * t_value(elo, model, deviation);
  Lead lead;
  lead.nelo =
      model == SprtModel::Normalised ? elo : kNormalisedElo * (score - 0.5) / (std::sqrt(2.0) * deviation);
  if (score <= 0 || score >= 1) return lead;
  lead.score = score;
  lead.elo = elo_of_score(score);
  return lead;
}

TestLength expected_length(const SprtSettings& sprt, double deviation) {
  const auto [lower, upper] = sprt_bounds(sprt);
  const double width = t_value(sprt.elo1, sprt.model, deviation) - t_value(sprt.elo0, sprt.model, deviation);
  // A pair moves the ratio by width^2 / 2 towards the hypothesis that holds, with a variance of width^2.
  const double drift = width * width / 2;
  return {.at_h0 = -((1 - sprt.alpha) * lower + sprt.alpha * upper) / drift,
          .at_midpoint = -lower * upper / (width * width),
          .at_h1 = (sprt.beta * lower + (1 - sprt.beta) * upper) / drift};
}

std::string hypotheses_text(const SprtSettings& s, double deviation) {
  return fmt::format(
      "H0: A's lead is at most elo0={:g} {} Elo ({}). H1: it is at least elo1={:g} ({}). Chance of error: "
      "{:g}% "
      "if H0 holds, {:g}% if H1 does.",
      s.elo0, sprt_model_name(s.model), lead_text(s.elo0, s.model, deviation), s.elo1,
      lead_text(s.elo1, s.model, deviation), 100 * s.alpha, 100 * s.beta);
}

std::string llr_bar(double llr, const SprtSettings& sprt) {
  const SprtBounds bounds = sprt_bounds(sprt);
  const auto cell_of = [&](double value) {
    const double share =
        (std::clamp(value, bounds.lower, bounds.upper) - bounds.lower) / (bounds.upper - bounds.lower);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(kBarCells - 1)));
  };
  const std::size_t zero = cell_of(0), now = cell_of(llr);
  std::string bar(kBarCells, '-');
  for (std::size_t i = std::min(zero, now); i <= std::max(zero, now); ++i) bar[i] = '=';
  bar[now] = now < zero ? '<' : '>';
  bar[zero] = '|';
  const double shown = std::abs(llr) < 0.005 ? 0 : llr;  // no -0.00
  return fmt::format("LLR {:.2f} [{:.2f} {} {:.2f}]", shown, bounds.lower, bar, bounds.upper);
}

}  // namespace farrier
