// What the net is asked to say of a position, and how far it was off.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "trainer/score_scale.h"
#include "trainer/sparse_batch.h"

// LibTorch stays out of headers.
namespace at {
class Tensor;
}

namespace farrier {

/// How a forecast's distance from its target is counted; the forecast is the sigmoid of the net's logit.
struct Loss {
  enum class Kind : std::uint8_t {
    SquaredError,
    CrossEntropy,  // steeper where the net is sure and wrong; its least value is the target's own entropy
    Power          // |forecast - target|^power; beyond 2, large errors weigh more
  };
  Kind kind = Kind::SquaredError;
  double power = 2.5;

  double of(double logit, double target) const;
  /// The mean over a batch, differentiable.
  at::Tensor mean(const at::Tensor& logits, const at::Tensor& targets) const;
};

/// target = result_weight * result + (1 - result_weight) * sigmoid(score / scale).
struct Labels {
  double result_weight = 0.3;
  int scale_cp = 400;

  double score_part(float score_cp_stm) const { return expected_result(score_cp_stm, scale_cp); }
  double target(float score_cp_stm, float result_stm) const {
    return result_weight * result_stm + (1 - result_weight) * score_part(score_cp_stm);
  }
  /// Targets of a whole batch.
  void targets(const SparseBatch& batch, std::vector<float>& out) const {
    out.resize(batch.size());
    for (std::size_t p = 0; p < batch.size(); ++p)
      out[p] = static_cast<float>(target(batch.score_cp_stm[p], batch.result_stm[p]));
  }
};

}  // namespace farrier
