#include "trainer/quantise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "engine/nnue/arithmetic.h"
#include "engine/nnue/overflow.h"
#include "engine/search/score.h"

namespace farrier {
namespace {

/// Rounds `source` times `scale` into `out`; false if a number does not fit within +-limit.
template <class Values>
bool round_all(const std::vector<float>& source, double scale, double limit, Values& out) {
  out.resize(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const double rounded = std::round(source[i] * scale);
    if (!(std::abs(rounded) <= limit)) return false;
    out[i] = static_cast<typename Values::value_type>(rounded);
  }
  return true;
}

/// The first layer's weights as they're played.
std::vector<float> folded(const FloatNet& net) {
  std::vector<float> weights;
  weights.reserve(net.feature_weights.size());
  for (int row = 0; row < net.rows; ++row)
    for (int h = 0; h < net.architecture.hidden; ++h) weights.push_back(net.feature_weight(row, h));
  return weights;
}

/// The activations of one view's sums that go into a further layer (`divisor` 256), or their exact products.
void activate(std::span<const int> sums, Activation activation, int divisor, std::vector<std::int64_t>& out) {
  const auto clamped = [&sums](std::size_t h) { return std::int64_t{std::clamp(sums[h], 0, kQa)}; };
  const std::size_t count = activation == Activation::Pairwise ? sums.size() / 2 : sums.size();
  for (std::size_t h = 0; h < count; ++h) {
    const std::int64_t factor = activation == Activation::Crelu    ? kQa
                                : activation == Activation::Screlu ? clamped(h)
                                                                   : clamped(h + count);
    out.push_back(clamped(h) * factor / divisor);
  }
}

}  // namespace

Result<Net> quantise(const FloatNet& net, Variant variant, int scale_cp) {
  constexpr double kI16 = std::numeric_limits<std::int16_t>::max();
  constexpr double kI32 = std::numeric_limits<std::int32_t>::max();
  Net q;
  q.variant = variant;
  q.architecture = net.architecture;
  q.scale_cp = scale_cp;
  if (!round_all(folded(net), kQa, kI16, q.feature_weights) ||
      !round_all(net.feature_bias, kQa, kI16, q.feature_bias))
    return Failure{"a weight of the first layer is no number or beyond 16 bits"};
  const double bias_scale = (net.layers.size() == 1 ? kQa : kUnit) * kQb;
  for (const FloatLayer& layer : net.layers) {
    DenseLayer& rounded = q.layers.emplace_back();
    rounded.inputs = layer.inputs;
    rounded.outputs = layer.outputs;
    if (!round_all(layer.weights, kQb, kMaxOutputWeight, rounded.weights))
      return Failure{fmt::format("an output weight is no number or beyond {}/{}", kMaxOutputWeight, kQb)};
    if (!round_all(layer.bias, bias_scale, kI32, rounded.bias))
      return Failure{"the output bias is no number or beyond 32 bits"};
  }
  const Result<int> proof = prove_no_overflow(q);
  if (!proof) return Failure{proof.reason()};
  return q;
}

int quantised_score_cp_stm(const Net& net, std::span<const FeatureIndex> stm,
                           std::span<const FeatureIndex> other, int output_bucket) {
  const Architecture& a = net.architecture;
  const bool direct = net.layers.size() == 1;
  std::vector<std::int64_t> values;  // what goes into the layer at hand
  for (const auto view : {stm, other}) {
    std::vector<int> sums(net.feature_bias.begin(), net.feature_bias.end());
    for (FeatureIndex row : view)
      for (int h = 0; h < a.hidden; ++h)
        sums[static_cast<std::size_t>(h)] +=
            net.feature_weights[static_cast<std::size_t>(row * a.hidden + h)];
    activate(sums, a.activation, direct ? 1 : 256, values);
  }
  std::int64_t sum = 0;
  for (const DenseLayer& layer : net.layers) {
    std::vector<std::int64_t> outputs;
    for (int o = 0; o < layer.outputs; ++o) {
      const auto output = static_cast<std::size_t>(output_bucket * layer.outputs + o);
      sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] * layer.weights[output * values.size() + i];
      // Of a net without further layers, `values` are products, CReLU's by kQa itself.
      sum = (direct ? sum / kQa : sum) + layer.bias[output];
      outputs.push_back(std::clamp<std::int64_t>(sum >= 0 ? sum / kQb : -1, 0, kMaxActivation));
    }
    values = outputs;
  }
  const std::int64_t score =
      direct ? sum * net.scale_cp / (kQa * kQb) : sum * net.scale_cp * 256 / (kQa * kQa * kQb);
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
    const int bucket = positions.bucket(p);
    distances[p] = std::abs(exact.logit(stm, other, bucket) * net.scale_cp -
                            quantised_score_cp_stm(net, stm, other, bucket));
    error.mean_cp += distances[p] / static_cast<double>(positions.size());
  }
  std::sort(distances.begin(), distances.end());
  error.worst_cp = distances.back();
  error.p99_cp = distances[(distances.size() - 1) * 99 / 100];
  return error;
}

}  // namespace farrier
