#include "trainer/quantise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "engine/nnue/architecture.h"
#include "engine/nnue/overflow.h"
#include "engine/search/score.h"

namespace farrier {
namespace {

/// Rounds `source` times `scale` into `out`; false if a number does not fit within +-limit.
bool round_all(const std::vector<float>& source, double scale, double limit, Weights& out) {
  out.resize(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const double rounded = std::round(source[i] * scale);
    if (!(std::abs(rounded) <= limit)) return false;
    out[i] = static_cast<std::int16_t>(rounded);
  }
  return true;
}

}  // namespace

Result<Net> quantise(const FloatNet& net, Variant variant, int scale_cp) {
  constexpr double kWidest = std::numeric_limits<std::int16_t>::max();
  Net q;
  q.variant = variant;
  q.hidden = net.hidden;
  q.scale_cp = scale_cp;
  if (!round_all(net.feature_weights, kQa, kWidest, q.feature_weights) ||
      !round_all(net.feature_bias, kQa, kWidest, q.feature_bias))
    return Failure{"a weight of the first layer is no number or beyond 16 bits"};
  if (!round_all(net.output_weights, kQb, kMaxOutputWeight, q.output_weights))
    return Failure{fmt::format("an output weight is no number or beyond {}/{}", kMaxOutputWeight, kQb)};
  const double bias = std::round(static_cast<double>(net.output_bias) * kQa * kQb);
  if (!(std::abs(bias) <= std::numeric_limits<std::int32_t>::max()))
    return Failure{"the output bias is no number or beyond 32 bits"};
  q.output_bias = static_cast<std::int32_t>(bias);
  const Result<int> proof = prove_no_overflow(q);
  if (!proof) return Failure{proof.reason()};
  return q;
}

int quantised_score_cp_stm(const Net& net, std::span<const FeatureIndex> stm,
                           std::span<const FeatureIndex> other) {
  const auto width = static_cast<std::size_t>(net.hidden);
  std::int64_t sum = 0;
  const std::span<const FeatureIndex> views[] = {stm, other};
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t h = 0; h < width; ++h) {
      int accumulator = net.feature_bias[h];
      for (FeatureIndex i : views[side]) accumulator += net.feature_weights[i * width + h];
      const int clamped = std::clamp(accumulator, 0, kQa);
      sum += static_cast<std::int64_t>(clamped) * clamped * net.output_weights[side * width + h];
    }
  }
  const std::int64_t score = (sum / kQa + net.output_bias) * net.scale_cp / (kQa * kQb);
  return static_cast<int>(std::clamp<std::int64_t>(score, -kMaxEval, kMaxEval));
}

QuantisationError measure_quantisation(const FloatNet& exact, const Net& net, const SparseBatch& positions) {
  QuantisationError error;
  error.positions = positions.size();
  if (positions.size() == 0) return error;
  std::vector<double> distances(positions.size());
  for (std::size_t p = 0; p < positions.size(); ++p) {
    const auto stm = view_inputs(positions, 2 * p);
    const auto other = view_inputs(positions, 2 * p + 1);
    distances[p] = std::abs(exact.logit(stm, other) * net.scale_cp - quantised_score_cp_stm(net, stm, other));
    error.mean_cp += distances[p] / static_cast<double>(positions.size());
  }
  std::sort(distances.begin(), distances.end());
  error.worst_cp = distances.back();
  error.p99_cp = distances[(distances.size() - 1) * 99 / 100];
  return error;
}

}  // namespace farrier
