// The network in floats, as plain vectors: what training produces and quantisation takes, free of LibTorch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/nnue/features.h"
#include "trainer/sparse_batch.h"

namespace farrier {

/// Weights in the units of architecture.h's float network: an accumulator of 1.0 is a full activation.
struct FloatNet {
  int inputs = 0;
  int hidden = 0;
  std::vector<float> feature_weights;  // [inputs][hidden]
  std::vector<float> feature_bias;     // [hidden]
  std::vector<float> output_weights;   // [2 * hidden]: side to move, then the other
  float output_bias = 0;

  /// The logit of the expected result for the side to move, in double precision.
  double logit(std::span<const FeatureIndex> stm, std::span<const FeatureIndex> other) const;
};

/// The inputs of view `v` of a batch.
inline std::span<const FeatureIndex> view_inputs(const SparseBatch& batch, std::size_t v) {
  return {batch.indices.data() + batch.offsets[v], batch.indices.data() + batch.offsets[v + 1]};
}

}  // namespace farrier
