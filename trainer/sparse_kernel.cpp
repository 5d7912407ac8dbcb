#include "trainer/sparse_kernel.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace farrier {
namespace {

constexpr std::size_t kNarrowest = 16;
constexpr std::size_t kCacheLine = 64;

/// A batch's backward pass as tasks: blocks of columns, each once for every part of the batch. Narrow nets have few
/// blocks, so the batch is cut into more parts, as far as each has enough views to be worth a set of sums of its own.
struct BackwardPlan {
  std::size_t inputs;
  std::size_t hidden;
  std::size_t parts;

  BackwardPlan(std::size_t views, std::size_t inputs_, std::size_t hidden_)
      : inputs(inputs_), hidden(hidden_) {
    constexpr std::size_t kTasks = 16;
    const std::size_t least_views = std::max<std::size_t>(2048, inputs / 4);
    const std::size_t wanted = std::max<std::size_t>(1, kTasks / blocks());
    parts = std::clamp<std::size_t>(views / least_views, 1, wanted);
  }

  std::size_t blocks() const { return (hidden + kSparseBlock - 1) / kSparseBlock; }
  /// A block's first column, and how many it has: the last may be narrower, down to pieces of 16.
  std::size_t first_column(std::size_t block) const { return block * kSparseBlock; }
  std::size_t columns(std::size_t block) const {
    return std::min(kSparseBlock, hidden - first_column(block));
  }
  /// Floats of one task's sums.
  std::size_t task_size() const { return (inputs + 1) * kSparseBlock; }
};

/// The kernels know blocks of 64, 32 and 16 columns: 48 are 32 and 16, one after the other in `sums`.
template <class Visit>
void for_each_piece(std::size_t columns, const Visit& visit) {
  std::size_t column = 0;
  for (std::size_t piece : {kSparseBlock, kSparseBlock / 2, kNarrowest})
    for (; column + piece <= columns; column += piece) visit(column, piece);
}

float* aligned(float* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return p + (kCacheLine - address % kCacheLine) % kCacheLine / sizeof(float);
}

}  // namespace

void sparse_forward(const SparseRows& rows, const float* weights, const float* bias, std::size_t hidden,
                    float* out, const ParallelFor& parallel) {
  assert(hidden % kNarrowest == 0);
  constexpr std::size_t kViewsPerTask = 256;
  const std::size_t tasks = (rows.views + kViewsPerTask - 1) / kViewsPerTask;
  parallel(tasks, [&](std::size_t task) {
    const std::size_t first = task * kViewsPerTask;
    sparse_loops().forward(rows, first, std::min(first + kViewsPerTask, rows.views), weights, bias, hidden,
                           out);
  });
}

void sparse_backward(const SparseRows& rows, const float* grad_out, std::size_t inputs, std::size_t hidden,
                     float* grad_weights, float* grad_bias, std::vector<float>& scratch,
                     const ParallelFor& parallel) {
  assert(hidden % kNarrowest == 0);
  const BackwardPlan plan(rows.views, inputs, hidden);
  const std::size_t parts = plan.parts;
  scratch.resize(plan.blocks() * parts * plan.task_size() + kCacheLine / sizeof(float));
  float* const all_sums = aligned(scratch.data());
  parallel(plan.blocks() * parts, [&](std::size_t task) {
    const std::size_t block = task / parts;
    const std::size_t part = task % parts;
    float* sums = all_sums + task * plan.task_size();
    std::fill_n(sums, (inputs + 1) * plan.columns(block), 0.0F);
    for_each_piece(plan.columns(block), [&](std::size_t column, std::size_t columns) {
      sparse_loops().backward(rows, rows.views * part / parts, rows.views * (part + 1) / parts,
                              grad_out + plan.first_column(block) + column, hidden, columns, inputs,
                              sums + (inputs + 1) * column);
    });
  });

  // Each row of the gradient: its parts in order.
  constexpr std::size_t kRowsPerTask = 64;
  parallel(inputs / kRowsPerTask + 1, [&](std::size_t task) {
    const std::size_t last = std::min((task + 1) * kRowsPerTask, inputs + 1);
    for (std::size_t row = task * kRowsPerTask; row < last; ++row)
      for (std::size_t block = 0; block < plan.blocks(); ++block)
        for_each_piece(plan.columns(block), [&](std::size_t column, std::size_t columns) {
          const float* sums =
              all_sums + block * parts * plan.task_size() + (inputs + 1) * column + row * columns;
          float* out =
              (row < inputs ? grad_weights + row * hidden : grad_bias) + plan.first_column(block) + column;
          std::copy_n(sums, columns, out);
          for (std::size_t part = 1; part < parts; ++part)
            for (std::size_t k = 0; k < columns; ++k) out[k] += sums[part * plan.task_size() + k];
        });
  });
}

}  // namespace farrier
