// What follows the first layer: from both views' sums to a score.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/chess/board.h"
#include "engine/nnue/kernels.h"
#include "engine/nnue/net_file.h"
#include "engine/search/score.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

class NetHead {
 public:
  explicit NetHead(std::shared_ptr<const Net> net);

  /// Centipawns from `us`, within kMaxEval, of the sums that both views have.
  Score score(const std::int16_t* us, const std::int16_t* other, int output_bucket);

 private:
  std::int64_t direct(const std::int16_t* us, const std::int16_t* other, int output_bucket) const;
  std::int64_t through_layers(const std::int16_t* us, const std::int16_t* other, int output_bucket);

  std::shared_ptr<const Net> net_;
  const NetKernels& kernels_;
  Weights activations_;  // what goes into the layer at hand
  std::vector<std::int32_t> outputs_;
};

/// The bucket of a position, with hands as the net counts them.
template <VariantRules R>
int output_bucket(const Architecture& architecture, const Board& board) {
  if (architecture.output_buckets() == 1) return 0;
  int in_hand = 0;
  if constexpr (R::kHasDrops)
    for (Color holder : {Color::White, Color::Black})
      for (int t = 0; t < kHandTypeCount; ++t)
        in_hand += std::min<int>(board.in_hand(holder, static_cast<PieceType>(t)), R::kHandCapacity[t]);
  return architecture.output_bucket(board.occupied().count(), in_hand);
}

}  // namespace farrier
