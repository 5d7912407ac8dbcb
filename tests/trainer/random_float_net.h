// Float nets of any shape with random weights, and positions for them.
#pragma once

#include <vector>

#include "engine/nnue/input_map.h"
#include "tests/trainer/training_testing.h"
#include "trainer/batch_stream.h"
#include "trainer/float_net.h"

namespace farrier {

/// A net whose weights reach over their whole range, so that every clamp and rounding is met.
inline FloatNet random_net(Variant variant, const Architecture& architecture, std::uint64_t seed) {
  Rng rng(seed);
  const auto draw = [&](int count, double bound) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * bound);
    return values;
  };
  const InputMap map(variant, architecture.features);
  FloatNet net;
  net.architecture = architecture;
  net.rows = map.rows();
  net.rows_per_bucket = map.rows_per_bucket();
  net.feature_weights = draw(net.rows * architecture.hidden, 0.4);
  if (map.buckets() > 1) net.shared_weights = draw(net.rows_per_bucket * architecture.hidden, 0.2);
  net.feature_bias = draw(architecture.hidden, 1.0);
  for (int k = 0; k < architecture.dense_layers(); ++k) {
    const int inputs = architecture.layer_inputs(k), outputs = architecture.layer_outputs(k);
    const int buckets = architecture.output_buckets();
    net.layers.push_back({inputs, outputs, draw(buckets * outputs * inputs, k == 0 ? 1.9 : 1.0),
                          draw(buckets * outputs, 0.4)});
  }
  return net;
}

inline FloatNet random_net(Variant variant, int hidden, std::uint64_t seed) {
  Architecture architecture;
  architecture.hidden = hidden;
  return random_net(variant, architecture, seed);
}

/// A batch of positions of random games, as that architecture reads them.
inline SparseBatch batch_of(Variant variant, const Architecture& architecture) {
  const Dataset dataset = random_dataset(variant, 30);
  StreamOptions options;
  options.batch = 1000;
  BatchStream stream(dataset, architecture, DataPart::Training, options);
  return *stream.next();
}

}  // namespace farrier
