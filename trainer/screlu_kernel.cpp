#include "trainer/screlu_kernel.h"

#include <algorithm>
#include <vector>

#include <Eigen/Core>

namespace farrier {
namespace {

// Tasks depend on the batch's size alone, and their sums are added in order: the same bits on any number of
// threads.
constexpr std::size_t kPositionsPerTask = 256;

using Row = Eigen::Map<const Eigen::ArrayXf>;

std::size_t task_count(std::size_t positions) {
  return (positions + kPositionsPerTask - 1) / kPositionsPerTask;
}

/// One position: its accumulators' gradients into `out`, its share of the weights' added to `weight_sum`. The
/// pointers never overlap, which the compiler must know to use vector instructions.
void backward_row(const float* __restrict in, const float* __restrict weights, float grad, std::size_t width,
                  float* __restrict out, float* __restrict weight_sum) {
  for (std::size_t k = 0; k < width; ++k) {
    const float positive = in[k] > 0.0F ? in[k] : 0.0F;
    const float active = positive < 1.0F ? positive : 1.0F;
    weight_sum[k] += grad * active * active;
    // The slope is twice the activation inside (0, 1) and nothing outside.
    out[k] = positive < 1.0F ? 2.0F * positive * grad * weights[k] : 0.0F;
  }
}

}  // namespace

void screlu_forward(const float* accumulators, const float* weights, float bias, std::size_t positions,
                    std::size_t width, float* logits, const ParallelFor& parallel) {
  const auto columns = static_cast<Eigen::Index>(width);
  const Row w(weights, columns);
  parallel(task_count(positions), [&](std::size_t task) {
    const std::size_t last = std::min((task + 1) * kPositionsPerTask, positions);
    for (std::size_t p = task * kPositionsPerTask; p < last; ++p) {
      const Row accumulator(accumulators + p * width, columns);
      logits[p] = bias + (accumulator.max(0.0F).min(1.0F).square() * w).sum();
    }
  });
}

void screlu_backward(const float* accumulators, const float* weights, const float* grad_logits,
                     std::size_t positions, std::size_t width, float* grad_accumulators, float* grad_weights,
                     float* grad_bias, const ParallelFor& parallel) {
  const auto columns = static_cast<Eigen::Index>(width);
  const Row w(weights, columns);
  const std::size_t tasks = task_count(positions);
  std::vector<Eigen::ArrayXf> weight_sums(tasks);
  std::vector<float> bias_sums(tasks);
  parallel(tasks, [&](std::size_t task) {
    Eigen::ArrayXf weight_sum = Eigen::ArrayXf::Zero(columns);
    float bias_sum = 0;
    const std::size_t last = std::min((task + 1) * kPositionsPerTask, positions);
    for (std::size_t p = task * kPositionsPerTask; p < last; ++p) {
      backward_row(accumulators + p * width, weights, grad_logits[p], width, grad_accumulators + p * width,
                   weight_sum.data());
      bias_sum += grad_logits[p];
    }
    weight_sums[task] = std::move(weight_sum);
    bias_sums[task] = bias_sum;
  });
  Eigen::Map<Eigen::ArrayXf> total(grad_weights, columns);
  total.setZero();
  *grad_bias = 0;
  for (std::size_t task = 0; task < tasks; ++task) {
    total += weight_sums[task];
    *grad_bias += bias_sums[task];
  }
}

}  // namespace farrier
