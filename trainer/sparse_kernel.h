// The sparse feature transform as plain loops over rows: forward gathers and sums, backward scatters and
// adds. Work is cut into tasks by shape alone, so sums come out the same to the bit whatever the number of
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/nnue/features.h"

namespace farrier {

/// Inputs of many views, as in SparseBatch.
struct SparseRows {
  const FeatureIndex* indices = nullptr;
  const std::int32_t* offsets = nullptr;
  std::size_t views = 0;
};

/// Runs task(0) ... task(count - 1), in any order, on several threads if it likes.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

/// out[v] = bias + sum of weights[i] over the inputs i of view v. `weights` is [inputs][hidden], `out`
/// [views][hidden]; hidden is a multiple of 16.
void sparse_forward(const SparseRows& rows, const float* weights, const float* bias, std::size_t hidden,
                    float* out, const ParallelFor& parallel);

/// The transpose: grad_weights[i] += grad_out[v] for the inputs i of view v, grad_bias += grad_out[v], both
/// from zero. `scratch` keeps buffers between calls.
void sparse_backward(const SparseRows& rows, const float* grad_out, std::size_t inputs, std::size_t hidden,
                     float* grad_weights, float* grad_bias, std::vector<float>& scratch,
                     const ParallelFor& parallel);

}  // namespace farrier
