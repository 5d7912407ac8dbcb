// Evaluation by a net.
#pragma once

#include <algorithm>
#include <memory>

#include "engine/nnue/accumulators.h"
#include "engine/nnue/architecture.h"
#include "engine/nnue/evaluator.h"

namespace farrier {

template <VariantRules R>
class NetworkEvaluator final : public Evaluator {
 public:
  explicit NetworkEvaluator(std::shared_ptr<const Net> net)
      : net_(net), kernels_(net_kernels(net->hidden)), accumulators_(std::move(net), kMaxPly + 1) {}

  Score evaluate(const Board* line, int ply) override {
    accumulators_.bring_up_to_date(line, ply);
    const Color us = line[ply].side_to_move;
    const std::int32_t sum = kernels_.output_sum(accumulators_.view(ply, us), accumulators_.view(ply, ~us),
                                                 net_->output_weights.data());
    const std::int64_t logit = sum / kQa + net_->output_bias;
    const std::int64_t score = logit * net_->scale_cp / (kQa * kQb);
    return static_cast<Score>(std::clamp<std::int64_t>(score, -kMaxEval, kMaxEval));
  }

 private:
  std::shared_ptr<const Net> net_;
  const NetKernels& kernels_;
  Accumulators<R> accumulators_;
};

}  // namespace farrier
