// Positions into batches: the rows of both views and the output bucket, as a net's architecture has them.
#pragma once

#include "engine/nnue/input_map.h"
#include "selfplay/loading/encoded_position.h"
#include "trainer/sparse_batch.h"

namespace farrier {

class BatchEncoder {
 public:
  BatchEncoder(Variant variant, const Architecture& architecture)
      : variant_(variant),
        architecture_(architecture),
        map_(variant, architecture.features),
        other_view_(variant) {}

  void append(const EncodedPosition& position, SparseBatch& batch) const {
    FeatureList other;
    for (FeatureIndex input : position.inputs) other.push_back(other_view_[input]);
    add_view(position.inputs, batch);
    add_view(other, batch);
    if (architecture_.output_buckets() > 1) {
      const MenCounts men = count_men(position.inputs, variant_);
      batch.buckets.push_back(
          static_cast<std::uint8_t>(architecture_.output_bucket(men.on_board, men.in_hand)));
    }
    batch.add_labels(static_cast<float>(position.score_cp_stm),
                     static_cast<float>(position.result_stm + 1) / 2);
  }

 private:
  void add_view(const FeatureList& inputs, SparseBatch& batch) const {
    if (map_.is_plain()) return batch.add_view(inputs);
    FeatureList rows;
    map_.map_view(inputs, rows);
    batch.add_view(rows);
  }

  Variant variant_;
  Architecture architecture_;
  InputMap map_;
  OtherView other_view_;
};

}  // namespace farrier
