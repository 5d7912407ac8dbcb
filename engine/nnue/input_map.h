// From the plain inputs of features.h to the rows of the first layer, as a net's feature scheme numbers them.
#pragma once

#include <span>
#include <vector>

#include "engine/nnue/architecture.h"
#include "engine/nnue/features.h"

namespace farrier {

/// A view's numbering depends on where its own royal man stands: his side of the board if the scheme mirrors, his
/// bucket if it has buckets. Each such case is an orientation.
class InputMap {
 public:
  InputMap(Variant variant, const FeatureScheme& scheme);

  /// Rows of the first layer: bucket after bucket, `rows_per_bucket` each.
  int rows() const { return rows_per_bucket_ * buckets_; }
  int rows_per_bucket() const { return rows_per_bucket_; }
  int buckets() const { return buckets_; }
  int orientations() const { return static_cast<int>(tables_.size()); }
  /// Whether all views number their inputs as features.h does.
  bool is_plain() const { return plain_; }

  /// For the square of the view's own royal man, as the view sees it.
  int orientation(Square royal) const { return orientation_[static_cast<std::size_t>(index(royal))]; }
  /// By input: its row, or kNoRow for an input that the scheme leaves out.
  std::span<const FeatureIndex> table(int orientation) const {
    return tables_[static_cast<std::size_t>(orientation)];
  }

  /// The rows of a view's plain inputs, which hold its royal man.
  void map_view(const FeatureList& inputs, FeatureList& rows) const;

 private:
  int rows_per_bucket_ = 0;
  int buckets_ = 1;
  bool plain_ = true;
  std::vector<int> orientation_;  // by square
  std::vector<std::vector<FeatureIndex>> tables_;
};

/// Number of men on the board and in both hands, from a view's plain inputs.
struct MenCounts {
  int on_board = 0;
  int in_hand = 0;
};
MenCounts count_men(const FeatureList& inputs, Variant variant);

}  // namespace farrier
