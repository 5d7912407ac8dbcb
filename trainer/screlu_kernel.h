// The activation and the output layer in one pass over the accumulators, forward and backward.
#pragma once

#include <cstddef>

#include "trainer/sparse_kernel.h"

namespace farrier {

/// logits[p] = bias + sum over k of clamp(accumulators[p][k], 0, 1)^2 * weights[k], for `width` = 2 * hidden.
void screlu_forward(const float* accumulators, const float* weights, float bias, std::size_t positions,
                    std::size_t width, float* logits, const ParallelFor& parallel);

/// Its gradients, from grad_logits[p].
void screlu_backward(const float* accumulators, const float* weights, const float* grad_logits,
                     std::size_t positions, std::size_t width, float* grad_accumulators, float* grad_weights,
                     float* grad_bias, const ParallelFor& parallel);

}  // namespace farrier
