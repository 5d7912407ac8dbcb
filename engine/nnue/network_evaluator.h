// Evaluation by a net.
#pragma once

#include <memory>

#include "engine/nnue/accumulators.h"
#include "engine/nnue/evaluator.h"
#include "engine/nnue/net_head.h"

namespace farrier {

template <VariantRules R>
class NetworkEvaluator final : public Evaluator {
 public:
  explicit NetworkEvaluator(std::shared_ptr<const Net> net)
      : net_(net), accumulators_(net, kMaxPly + 1), head_(std::move(net)) {}

  Score evaluate(const Board* line, int ply) override {
    accumulators_.bring_up_to_date(line, ply);
    const Color us = line[ply].side_to_move;
    return head_.score(accumulators_.view(ply, us), accumulators_.view(ply, ~us),
                       output_bucket<R>(net_->architecture, line[ply]));
  }

 private:
  std::shared_ptr<const Net> net_;
  Accumulators<R> accumulators_;
  NetHead head_;
};

}  // namespace farrier
