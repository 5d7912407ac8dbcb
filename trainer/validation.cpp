#include "trainer/validation.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

using nlohmann::ordered_json;

/// The fewest men on the board in each phase but the last.
constexpr std::array<int, kPhases - 1> kFewestOnBoard{29, 24, 18, 11};
/// The fewest men in hand in each phase but the first.
constexpr std::array<int, kPhases - 1> kFewestInHand{1, 3, 5, 8};

/// Six significant digits are more than the positions can tell, and keep the lines short.
double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

}  // namespace

Phases::Phases(Variant variant)
    : by_hands_(with_rules(variant, []<VariantRules R>() { return R::kCapturesGoToHand; })) {}

int Phases::of(int men_on_board, int men_in_hand) const {
  int phase = 0;
  if (by_hands_) {
    for (int fewest : kFewestInHand) phase += men_in_hand >= fewest ? 1 : 0;
  } else {
    for (int fewest : kFewestOnBoard) phase += men_on_board < fewest ? 1 : 0;
  }
  return phase;
}

std::string Phases::name(int phase) const {
  const auto p = static_cast<std::size_t>(phase);
  if (by_hands_) {
    if (phase == 0) return "none in hand";
    if (phase == kPhases - 1) return fmt::format("{}+ in hand", kFewestInHand.back());
    return fmt::format("{}-{} in hand", kFewestInHand[p - 1], kFewestInHand[p] - 1);
  }
  const int most = phase == 0 ? 32 : kFewestOnBoard[p - 1] - 1;
  return fmt::format("{}-{} men", phase == kPhases - 1 ? 2 : kFewestOnBoard[p], most);
}

void ErrorSums::add(const ValidationSample& s) {
  const auto square = [](double x) { return x * x; };
  ++positions;
  loss += s.loss;
  score += square(s.forecast - s.score_part);
  result += square(s.forecast - s.result);
}

void ValidationSums::add(const ValidationSample& s) {
  all.add(s);
  phases[static_cast<std::size_t>(s.phase)].add(s);
  const auto bin = static_cast<std::size_t>(std::clamp(s.forecast, 0.0, 1.0) * kForecastBins);
  ForecastBin& b = calibration[std::min<std::size_t>(bin, kForecastBins - 1)];
  ++b.positions;
  b.forecast += s.forecast;
  b.result += s.result;
  if (s.result == 0.5) return;
  ++decisive;
  if (s.result > 0.5 ? s.forecast > 0.5 : s.forecast < 0.5) ++right;
}

double ValidationSums::sign_accuracy() const {
  return decisive == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(decisive);
}

double ValidationSums::calibration_error() const {
  double sum = 0;
  for (const ForecastBin& bin : calibration) sum += std::abs(bin.forecast - bin.result);
  return all.mean(sum);
}

void add_validation(ordered_json& line, const ValidationSums& sums, Variant variant) {
  line["validation_loss"] = sums.all.mean(sums.all.loss);
  line["validation_score_loss"] = sums.all.mean(sums.all.score);
  line["validation_result_loss"] = sums.all.mean(sums.all.result);
  line["sign_accuracy"] = rounded(sums.sign_accuracy());
  line["calibration_error"] = rounded(sums.calibration_error());
  const Phases phase_names(variant);
  ordered_json phases = ordered_json::array();
  for (int p = 0; p < kPhases; ++p) {
    const ErrorSums& e = sums.phases[static_cast<std::size_t>(p)];
    if (e.positions == 0) continue;
    phases.push_back({{"phase", phase_names.name(p)},
                      {"positions", e.positions},
                      {"loss", rounded(e.mean(e.loss))},
                      {"score_loss", rounded(e.mean(e.score))},
                      {"result_loss", rounded(e.mean(e.result))}});
  }
  line["phases"] = std::move(phases);
  ordered_json bins = ordered_json::array();
  for (int b = 0; b < kForecastBins; ++b) {
    const ForecastBin& bin = sums.calibration[static_cast<std::size_t>(b)];
    if (bin.positions == 0) continue;
    const double n = static_cast<double>(bin.positions);
    bins.push_back({{"from", static_cast<double>(b) / kForecastBins},
                    {"positions", bin.positions},
                    {"forecast", rounded(bin.forecast / n)},
                    {"result", rounded(bin.result / n)}});
  }
  line["calibration"] = std::move(bins);
}

}  // namespace farrier
