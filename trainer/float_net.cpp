#include "trainer/float_net.h"

#include <algorithm>

namespace farrier {

double FloatNet::logit(std::span<const FeatureIndex> stm, std::span<const FeatureIndex> other) const {
  const auto width = static_cast<std::size_t>(hidden);
  double sum = output_bias;
  const std::span<const FeatureIndex> views[] = {stm, other};
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t h = 0; h < width; ++h) {
      double accumulator = feature_bias[h];
      for (FeatureIndex i : views[side]) accumulator += feature_weights[i * width + h];
      const double activation = std::clamp(accumulator, 0.0, 1.0);
      sum += activation * activation * output_weights[side * width + h];
    }
  }
  return sum;
}

}  // namespace farrier
