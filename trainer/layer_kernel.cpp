#include "trainer/layer_kernel.h"

#include <algorithm>
#include <vector>

namespace farrier {
namespace {

constexpr std::size_t kForwardPositions = 256;  // of a task
constexpr std::size_t kBackwardTasks = 16;      // each sums up gradients of all weights, so not too many
constexpr std::size_t kWeightsPerTask = 4096;

float clamped(float x) {
  const float positive = x > 0.0F ? x : 0.0F;
  return positive < 1.0F ? positive : 1.0F;
}

/// 1 where the clamp lets through, at 0 too: of no account, since products and squares are 0 there.
float slope(float x) { return x > 0.0F && x < 1.0F ? 1.0F : 0.0F; }

template <Activation A>
void activate(const LayerShape& shape, const float* __restrict x, float* __restrict out) {
  if constexpr (A == Activation::Pairwise) {
    const std::size_t half = shape.width / 2;
    for (std::size_t view = 0; view < shape.views; ++view, x += shape.width, out += half)
      for (std::size_t k = 0; k < half; ++k) out[k] = clamped(x[k]) * clamped(x[k + half]);
  } else {
    const std::size_t values = shape.values();
    for (std::size_t k = 0; k < values; ++k) {
      const float c = clamped(x[k]);
      out[k] = A == Activation::Screlu ? c * c : c;
    }
  }
}

/// Gradients of x from those of its activations.
template <Activation A>
void activate_backward(const LayerShape& shape, const float* __restrict x, const float* __restrict grad,
                       float* __restrict grad_x) {
  if constexpr (A == Activation::Pairwise) {
    const std::size_t half = shape.width / 2;
    for (std::size_t view = 0; view < shape.views;
         ++view, x += shape.width, grad_x += shape.width, grad += half)
      for (std::size_t k = 0; k < half; ++k) {
        grad_x[k] = grad[k] * clamped(x[k + half]) * slope(x[k]);
        grad_x[k + half] = grad[k] * clamped(x[k]) * slope(x[k + half]);
      }
  } else {
    const std::size_t values = shape.values();
    for (std::size_t k = 0; k < values; ++k)
      grad_x[k] = (A == Activation::Screlu ? 2.0F * x[k] : 1.0F) * grad[k] * slope(x[k]);
  }
}

float dot(const float* __restrict a, const float* __restrict b, std::size_t n) {
  constexpr std::size_t kLanes = 16;  // sums side by side, for vector instructions; n is a multiple of 8
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) lanes[i % kLanes] += a[i] * b[i];
  float sum = 0;
  for (float lane : lanes) sum += lane;
  return sum;
}

/// y += factor * x
void add_scaled(float factor, const float* __restrict x, std::size_t n, float* __restrict y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

template <Activation A>
void forward_positions(const LayerShape& shape, const float* x, LayerWeights layer,
                       const std::uint8_t* buckets, std::size_t first, std::size_t last, float* y) {
  const std::size_t n = shape.activations();
  std::vector<float> active(n);
  for (std::size_t p = first; p < last; ++p) {
    activate<A>(shape, x + p * shape.values(), active.data());
    const std::size_t row = (buckets == nullptr ? 0 : buckets[p]) * shape.outputs;
    for (std::size_t o = 0; o < shape.outputs; ++o)
      y[p * shape.outputs + o] = layer.bias[row + o] + dot(active.data(), layer.weights + (row + o) * n, n);
  }
}

/// Adds the positions' gradients of the layer to `sums`: all weights, then all biases.
template <Activation A>
void backward_positions(const LayerShape& shape, const float* x, LayerWeights layer,
                        const std::uint8_t* buckets, std::size_t first, std::size_t last, const float* grad_y,
                        float* grad_x, float* sums) {
  const std::size_t n = shape.activations();
  float* bias_sums = sums + shape.buckets * shape.outputs * n;
  std::vector<float> active(n), grad(n);
  for (std::size_t p = first; p < last; ++p) {
    activate<A>(shape, x + p * shape.values(), active.data());
    std::fill(grad.begin(), grad.end(), 0.0F);
    const std::size_t row = (buckets == nullptr ? 0 : buckets[p]) * shape.outputs;
    for (std::size_t o = 0; o < shape.outputs; ++o) {
      const float g = grad_y[p * shape.outputs + o];
      bias_sums[row + o] += g;
      add_scaled(g, active.data(), n, sums + (row + o) * n);
      add_scaled(g, layer.weights + (row + o) * n, n, grad.data());
    }
    activate_backward<A>(shape, x + p * shape.values(), grad.data(), grad_x + p * shape.values());
  }
}

/// Calls f.operator()<A>() for the activation at hand.
template <class F>
void with_activation(Activation activation, F&& f) {
  switch (activation) {
    case Activation::Crelu:
      return f.template operator()<Activation::Crelu>();
    case Activation::Screlu:
      return f.template operator()<Activation::Screlu>();
    case Activation::Pairwise:
      return f.template operator()<Activation::Pairwise>();
  }
}

}  // namespace

void layer_forward(const LayerShape& shape, const float* x, LayerWeights layer, const std::uint8_t* buckets,
                   std::size_t positions, float* y, const ParallelFor& parallel) {
  parallel((positions + kForwardPositions - 1) / kForwardPositions, [&](std::size_t task) {
    const std::size_t first = task * kForwardPositions;
    const std::size_t last = std::min(first + kForwardPositions, positions);
    with_activation(shape.activation,
                    [&]<Activation A>() { forward_positions<A>(shape, x, layer, buckets, first, last, y); });
  });
}

void layer_backward(const LayerShape& shape, const float* x, LayerWeights layer, const std::uint8_t* buckets,
                    std::size_t positions, const float* grad_y, float* grad_x, LayerGradients gradients,
                    const ParallelFor& parallel) {
  const std::size_t outputs = shape.buckets * shape.outputs;
  const std::size_t weights = outputs * shape.activations();
  const std::size_t size = weights + outputs;
  std::vector<std::vector<float>> sums(kBackwardTasks);
  parallel(kBackwardTasks, [&](std::size_t task) {
    sums[task].assign(size, 0.0F);
    with_activation(shape.activation, [&]<Activation A>() {
      backward_positions<A>(shape, x, layer, buckets, positions * task / kBackwardTasks,
                            positions * (task + 1) / kBackwardTasks, grad_y, grad_x, sums[task].data());
    });
  });
  parallel((size + kWeightsPerTask - 1) / kWeightsPerTask, [&](std::size_t task) {
    const std::size_t last = std::min((task + 1) * kWeightsPerTask, size);
    for (std::size_t i = task * kWeightsPerTask; i < last; ++i) {
      float sum = 0;
      for (const std::vector<float>& part : sums) sum += part[i];
      (i < weights ? gradients.weights[i] : gradients.bias[i - weights]) = sum;
    }
  });
}

}  // namespace farrier
