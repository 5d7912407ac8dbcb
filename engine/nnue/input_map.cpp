#include "engine/nnue/input_map.h"

#include <utility>

#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

struct InputLayout {
  int inputs;
  int hand_start;
};

InputLayout layout_of(Variant variant) {
  return with_rules(variant, []<VariantRules R>() {
    return InputLayout{FeatureSet<R>::kInputs, FeatureSet<R>::kHandStart};
  });
}

/// The royal men's inputs of a view's own side: board_input of features.h.
constexpr int kOwnRoyalStart = 5 * kSquareCount;

}  // namespace

InputMap::InputMap(Variant variant, const FeatureScheme& scheme) {
  const InputLayout layout = layout_of(variant);
  const bool drops_marks = !scheme.promoted && layout.hand_start > kBoardInputs;
  const int marks = drops_marks ? layout.hand_start - kBoardInputs : 0;
  rows_per_bucket_ = layout.inputs - marks;
  buckets_ = scheme.bucket_count();
  plain_ = !scheme.mirror && buckets_ == 1 && !drops_marks;

  const int sides = scheme.mirror ? 2 : 1;
  for (int bucket = 0; bucket < buckets_; ++bucket)
    for (int mirrored = 0; mirrored < sides; ++mirrored) {
      std::vector<FeatureIndex>& table = tables_.emplace_back();
      for (int input = 0; input < layout.inputs; ++input) {
        int row =
            input < layout.hand_start ? input ^ (mirrored * 7) : input - marks;  // files are the lowest bits
        if (drops_marks && input >= kBoardInputs && input < layout.hand_start) {
          table.push_back(kNoRow);
          continue;
        }
        row += bucket * rows_per_bucket_;
        table.push_back(static_cast<FeatureIndex>(row));
      }
    }
  for (int square = 0; square < kSquareCount; ++square) {
    const int bucket =
        scheme.king_buckets.empty() ? 0 : scheme.king_buckets[static_cast<std::size_t>(square)];
    const bool mirrored = scheme.mirror && square % 8 < 4;
    orientation_.push_back(bucket * sides + (mirrored ? 1 : 0));
  }
}

void InputMap::map_view(const FeatureList& inputs, FeatureList& rows) const {
  rows.clear();
  int royal = 0;
  if (orientations() > 1)
    for (FeatureIndex input : inputs)
      if (input >= kOwnRoyalStart && input < kOwnRoyalStart + kSquareCount) royal = input - kOwnRoyalStart;
  const std::span<const FeatureIndex> rows_of = table(orientation(static_cast<Square>(royal)));
  for (FeatureIndex input : inputs)
    if (rows_of[input] != kNoRow) rows.push_back(rows_of[input]);
}

MenCounts count_men(const FeatureList& inputs, Variant variant) {
  const int hand_start = layout_of(variant).hand_start;
  MenCounts men;
  for (FeatureIndex input : inputs) {
    men.on_board += input < kBoardInputs ? 1 : 0;
    men.in_hand += input >= hand_start ? 1 : 0;
  }
  return men;
}

}  // namespace farrier
