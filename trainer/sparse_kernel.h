// The sparse feature transform over a batch: forward gathers and sums rows, backward scatters and adds.
#pragma once

#include <cstddef>
#include <vector>

#include "trainer/parallel.h"
#include "trainer/sparse_loops.h"

namespace farrier {

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
