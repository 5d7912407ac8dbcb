// The network in floats, as plain vectors: what training produces and quantisation takes, free of LibTorch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/nnue/architecture.h"
#include "engine/nnue/features.h"
#include "trainer/sparse_batch.h"

namespace farrier {

/// A layer after the first one.
struct FloatLayer {
  int inputs = 0;
  int outputs = 0;
  std::vector<float> weights;  // [output bucket][outputs][inputs]
  std::vector<float> bias;     // [output bucket][outputs]

  friend bool operator==(const FloatLayer&, const FloatLayer&) = default;
};

/// Weights in the units of arithmetic.h's float network: an accumulator of 1.0 is a full activation.
struct FloatNet {
  Architecture architecture;
  int rows = 0;                        // of the first layer, as InputMap numbers them
  int rows_per_bucket = 0;             // of these, one king bucket's
  std::vector<float> feature_weights;  // [rows][H]
  /// With king buckets, what all of them share is learnt once: [rows per bucket][H], added to each bucket's own.
  std::vector<float> shared_weights;
  std::vector<float> feature_bias;  // [H]
  std::vector<FloatLayer> layers;   // the output's the last

  friend bool operator==(const FloatNet&, const FloatNet&) = default;

  float feature_weight(int row, int h) const {
    const auto at = [this, h](const std::vector<float>& weights, int r) {
      return weights[static_cast<std::size_t>(r * architecture.hidden + h)];
    };
    return at(feature_weights, row) +
           (shared_weights.empty() ? 0.0F : at(shared_weights, row % rows_per_bucket));
  }
  /// The logit of the expected result for the side to move, in double precision, from both views' rows.
  double logit(std::span<const FeatureIndex> stm, std::span<const FeatureIndex> other,
               int output_bucket) const;
};

/// Whether every weight is a number.
bool is_finite(const FloatNet& net);

/// The rows of view `v` of a batch.
inline std::span<const FeatureIndex> view_inputs(const SparseBatch& batch, std::size_t v) {
  return {batch.indices.data() + batch.offsets[v], batch.indices.data() + batch.offsets[v + 1]};
}

}  // namespace farrier
