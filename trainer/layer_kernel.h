// A dense layer with the activation before it, in one pass over its input, forward and backward:
//   y[p][o] = bias[b][o] + sum over i: activation(x[p])[i] * weights[b][o][i],   b the output bucket of position p
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/nnue/arithmetic.h"
#include "trainer/parallel.h"

namespace farrier {

struct LayerShape {
  Activation activation = Activation::Screlu;
  std::size_t views = 2;  // parts of x[p] whose halves make pairs: the first layer's two sides, or one
  std::size_t width = 0;  // of a view
  std::size_t outputs = 1;
  std::size_t buckets = 1;

  std::size_t values() const { return views * width; }
  std::size_t activations() const { return activation == Activation::Pairwise ? values() / 2 : values(); }
};

/// A layer's numbers, laid out as above.
struct LayerWeights {
  const float* weights = nullptr;
  const float* bias = nullptr;
};
struct LayerGradients {
  float* weights = nullptr;
  float* bias = nullptr;
};

/// `buckets[p]` is the position's bucket; null where there is one bucket.
void layer_forward(const LayerShape& shape, const float* x, LayerWeights layer, const std::uint8_t* buckets,
                   std::size_t positions, float* y, const ParallelFor& parallel);

/// From the gradients of y those of x and of the layer. Cut into tasks by shape alone: the same bits on any number of
/// threads.
void layer_backward(const LayerShape& shape, const float* x, LayerWeights layer, const std::uint8_t* buckets,
                    std::size_t positions, const float* grad_y, float* grad_x, LayerGradients gradients,
                    const ParallelFor& parallel);

}  // namespace farrier
