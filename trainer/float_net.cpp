#include "trainer/float_net.h"

#include <algorithm>
#include <cmath>

namespace farrier {
namespace {

/// The activation of one view's sums, added to the end of `out`.
void activate(const std::vector<double>& sums, Activation activation, std::vector<double>& out) {
  const auto clamped = [&sums](std::size_t h) { return std::clamp(sums[h], 0.0, 1.0); };
  const std::size_t count = activation == Activation::Pairwise ? sums.size() / 2 : sums.size();
  for (std::size_t h = 0; h < count; ++h)
    out.push_back(activation == Activation::Crelu    ? clamped(h)
                  : activation == Activation::Screlu ? clamped(h) * clamped(h)
                                                     : clamped(h) * clamped(h + count));
}

}  // namespace

double FloatNet::logit(std::span<const FeatureIndex> stm, std::span<const FeatureIndex> other,
                       int output_bucket) const {
  std::vector<double> values;  // what goes into the layer at hand
  for (const auto view : {stm, other}) {
    std::vector<double> sums(feature_bias.begin(), feature_bias.end());
    for (FeatureIndex row : view)
      for (int h = 0; h < architecture.hidden; ++h)
        sums[static_cast<std::size_t>(h)] += feature_weight(row, h);
    activate(sums, architecture.activation, values);
  }
  for (const FloatLayer& layer : layers) {
    std::vector<double> sums;
    for (int o = 0; o < layer.outputs; ++o) {
      const auto output = static_cast<std::size_t>(output_bucket * layer.outputs + o);
      double sum = layer.bias[output];
      for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] * layer.weights[output * values.size() + i];
      sums.push_back(sum);
    }
    if (&layer == &layers.back()) return sums.front();
    values.clear();
    activate(sums, Activation::Crelu, values);
  }
  return 0;
}

bool is_finite(const FloatNet& net) {
  const auto all_finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  };
  return all_finite(net.feature_weights) && all_finite(net.shared_weights) && all_finite(net.feature_bias) &&
         std::all_of(net.layers.begin(), net.layers.end(), [&](const FloatLayer& layer) {
           return all_finite(layer.weights) && all_finite(layer.bias);
         });
}

}  // namespace farrier
