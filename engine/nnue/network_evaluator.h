// Evaluation by a net, with accumulators that are brought up to date only when a score is asked for.
//
// Every ply keeps an accumulator together with the men it describes. A position's accumulator is made from
// that of the nearest ancestor on the line that is known, by the difference of their men: so moves need not
// report what they change, positions that are never evaluated cost nothing, and any stale accumulator is
// still a valid base.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <vector>

#include "engine/nnue/accumulator.h"
#include "engine/nnue/architecture.h"
#include "engine/nnue/evaluator.h"
#include "engine/nnue/features.h"

namespace farrier {

template <VariantRules R, int Hidden>
class NetworkEvaluator final : public Evaluator {
 public:
  explicit NetworkEvaluator(std::shared_ptr<const Net> net) : net_(std::move(net)), stack_(kMaxPly + 1) {
    stack_[0].refresh(*net_, Board());
    for (std::size_t i = 1; i < stack_.size(); ++i) stack_[i] = stack_[0];
  }

  Score evaluate(const Board* line, int ply) override {
    int known = ply;
    while (known > 0 && stack_[known].key() != line[known].key) --known;
    if (known != ply || stack_[ply].key() != line[ply].key)
      stack_[ply].update_from(stack_[known], *net_, line[ply]);
    return output(stack_[ply], line[ply].side_to_move);
  }

 private:
  Score output(const Accumulator<R, Hidden>& accumulator, Color us) const {
    const std::int32_t sum = dot(accumulator.view(us), net_->output_weights.data()) +
                             dot(accumulator.view(~us), net_->output_weights.data() + Hidden);
    const std::int64_t logit = sum / kQa + net_->output_bias;
    const std::int64_t score = logit * net_->scale_cp / (kQa * kQb);
    return static_cast<Score>(std::clamp<std::int64_t>(score, -kMaxEval, kMaxEval));
  }

  /// sum of clamp(a, 0, QA)^2 * w. clamp * w fits 16 bits (kMaxOutputWeight), which makes it a multiply-add
  /// of 16-bit pairs.
  static std::int32_t dot(const Eigen::Array<std::int16_t, Hidden, 1>& accumulator,
                          const std::int16_t* weights) {
    std::int32_t sum = 0;
    for (int h = 0; h < Hidden; ++h) {
      const std::int16_t active = std::clamp<std::int16_t>(accumulator[h], 0, kQa);
      const std::int16_t weighted = static_cast<std::int16_t>(active * weights[h]);
      sum += active * weighted;
    }
    return sum;
  }

  std::shared_ptr<const Net> net_;
  std::vector<Accumulator<R, Hidden>> stack_;
};

}  // namespace farrier
