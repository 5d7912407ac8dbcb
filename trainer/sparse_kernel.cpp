#include "trainer/sparse_kernel.h"

#include <algorithm>
#include <cassert>

#include <Eigen/Core>

namespace farrier {
namespace {

// Columns that one task handles: a cache line or two of floats, which stay in vector registers.
constexpr std::size_t kWide = 32;
constexpr std::size_t kNarrow = 16;

std::size_t column_block(std::size_t hidden) { return hidden % kWide == 0 ? kWide : kNarrow; }

/// Columns of one row, as Eigen keeps them: in vector registers across the loops below.
template <std::size_t Columns>
using Lane = Eigen::Array<float, static_cast<int>(Columns), 1>;
template <std::size_t Columns>
using LaneView = Eigen::Map<Lane<Columns>>;
template <std::size_t Columns>
using ConstLaneView = Eigen::Map<const Lane<Columns>>;

template <std::size_t Columns>
void forward_rows(const SparseRows& rows, std::size_t first, std::size_t last, const float* weights,
                  const float* bias, std::size_t hidden, float* out) {
  // Columns outermost: that part of the weights stays in the cache for all views.
  for (std::size_t column = 0; column < hidden; column += Columns) {
    const Lane<Columns> start = ConstLaneView<Columns>(bias + column);
    for (std::size_t v = first; v < last; ++v) {
      Lane<Columns> sum = start;
      const FeatureIndex* end = rows.indices + rows.offsets[v + 1];
      for (const FeatureIndex* i = rows.indices + rows.offsets[v]; i != end; ++i)
        sum += ConstLaneView<Columns>(weights + *i * hidden + column);
      LaneView<Columns>(out + v * hidden + column) = sum;
    }
  }
}

/// Adds up the gradients of one block of columns into `sums`: [inputs][Columns], then the bias as a last row.
template <std::size_t Columns>
void backward_block(const SparseRows& rows, std::size_t first, std::size_t last, const float* grad_out,
                    std::size_t hidden, std::size_t inputs, float* sums) {
  Lane<Columns> bias_sum = Lane<Columns>::Zero();
  for (std::size_t v = first; v < last; ++v) {
    const Lane<Columns> grad = ConstLaneView<Columns>(grad_out + v * hidden);
    bias_sum += grad;
    const FeatureIndex* end = rows.indices + rows.offsets[v + 1];
    for (const FeatureIndex* i = rows.indices + rows.offsets[v]; i != end; ++i)
      LaneView<Columns>(sums + *i * Columns) += grad;
  }
  LaneView<Columns>(sums + inputs * Columns) = bias_sum;
}

}  // namespace

void sparse_forward(const SparseRows& rows, const float* weights, const float* bias, std::size_t hidden,
                    float* out, const ParallelFor& parallel) {
  assert(hidden % kNarrow == 0);
  constexpr std::size_t kViewsPerTask = 256;
  const std::size_t tasks = (rows.views + kViewsPerTask - 1) / kViewsPerTask;
  parallel(tasks, [&](std::size_t task) {
    const std::size_t first = task * kViewsPerTask;
    const std::size_t last = std::min(first + kViewsPerTask, rows.views);
    if (column_block(hidden) == kWide) {
      forward_rows<kWide>(rows, first, last, weights, bias, hidden, out);
    } else {
      forward_rows<kNarrow>(rows, first, last, weights, bias, hidden, out);
    }
  });
}

void sparse_backward(const SparseRows& rows, const float* grad_out, std::size_t inputs, std::size_t hidden,
                     float* grad_weights, float* grad_bias, std::vector<float>& scratch,
                     const ParallelFor& parallel) {
  assert(hidden % kNarrow == 0);
  // Narrow nets have too few column blocks to share out, so the batch is cut too, and the parts added in
  // order.
  constexpr std::size_t kTasks = 8;
  const std::size_t block = column_block(hidden);
  const std::size_t blocks = hidden / block;
  const std::size_t parts = std::max<std::size_t>(1, kTasks / blocks);
  const std::size_t task_size = (inputs + 1) * block;
  scratch.resize(blocks * parts * task_size);
  parallel(blocks * parts, [&](std::size_t task) {
    const std::size_t part = task % parts;
    const std::size_t first = rows.views * part / parts;
    const std::size_t last = rows.views * (part + 1) / parts;
    float* sums = scratch.data() + task * task_size;
    std::fill_n(sums, task_size, 0.0F);
    const float* grad = grad_out + task / parts * block;
    if (block == kWide) {
      backward_block<kWide>(rows, first, last, grad, hidden, inputs, sums);
    } else {
      backward_block<kNarrow>(rows, first, last, grad, hidden, inputs, sums);
    }
  });
  parallel(blocks, [&](std::size_t b) {
    const float* sums = scratch.data() + b * parts * task_size;
    for (std::size_t row = 0; row <= inputs; ++row) {
      float* out = (row < inputs ? grad_weights + row * hidden : grad_bias) + b * block;
      for (std::size_t k = 0; k < block; ++k) {
        float sum = sums[row * block + k];
        for (std::size_t part = 1; part < parts; ++part) sum += sums[part * task_size + row * block + k];
        out[k] = sum;
      }
    }
  });
}

}  // namespace farrier
