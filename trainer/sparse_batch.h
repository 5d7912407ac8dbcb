// A batch of positions as the network sees them: the active rows of both views, the output buckets, and the labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/nnue/features.h"

namespace farrier {

struct SparseBatch {
  /// Active rows of the first layer (InputMap), view after view: side to move and other side of position 0, of position 1, ...
  std::vector<FeatureIndex> indices;
  /// View v has indices[offsets[v]] up to indices[offsets[v + 1]]; position p has views 2p and 2p + 1.
  std::vector<std::int32_t> offsets{0};
  std::vector<std::uint8_t> buckets;  // output buckets, by position; empty where there's one
  std::vector<float> score_cp_stm;
  std::vector<float> result_stm;    // 1 won, 0.5 drawn, 0 lost by the side to move
  std::vector<std::uint8_t> phase;  // of the game, see validation.h; told of validation positions alone

  std::size_t size() const { return score_cp_stm.size(); }
  int bucket(std::size_t p) const { return buckets.empty() ? 0 : buckets[p]; }
  template <class Inputs>
  void add_view(const Inputs& inputs) {
    indices.insert(indices.end(), inputs.begin(), inputs.end());
    offsets.push_back(static_cast<std::int32_t>(indices.size()));
  }
  /// Ends a position whose two views were added.
  void add_labels(float score, float result) {
    score_cp_stm.push_back(score);
    result_stm.push_back(result);
  }
};

}  // namespace farrier
