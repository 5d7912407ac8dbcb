#include "trainer/loss.h"

#include <algorithm>

#include <torch/torch.h>

namespace farrier {

double Loss::of(double logit, double target) const {
  switch (kind) {
    case Kind::SquaredError: {
      const double error = expected_result(logit, 1) - target;
      return error * error;
    }
    case Kind::CrossEntropy:
      // -target * log(sigmoid) - (1 - target) * log(1 - sigmoid), without an exponential that could overflow.
      return std::max(logit, 0.0) - logit * target + std::log1p(std::exp(-std::abs(logit)));
    case Kind::Power:
      break;
  }
  return std::pow(std::abs(expected_result(logit, 1) - target), power);
}

at::Tensor Loss::mean(const at::Tensor& logits, const at::Tensor& targets) const {
  switch (kind) {
    case Kind::SquaredError:
      return (torch::sigmoid(logits) - targets).square().mean();
    case Kind::CrossEntropy:
      return torch::binary_cross_entropy_with_logits(logits, targets);
    case Kind::Power:
      break;
  }
  return (torch::sigmoid(logits) - targets).abs().pow(power).mean();
}

}  // namespace farrier
