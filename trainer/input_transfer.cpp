#include "trainer/input_transfer.h"

#include <algorithm>

#include "engine/nnue/features.h"
#include "engine/nnue/input_map.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr const char* kTellsKingsApart =
    "tells its kings apart where the new net does not; give net.mirror and net.king_buckets as it has them, "
    "or finer "
    "buckets";

/// By plain input of features.h: a number that stands for the same fact in every variant.
std::vector<int> meanings(Variant variant) {
  return with_rules(variant, []<VariantRules R>() {
    using Features = FeatureSet<R>;
    constexpr int kMostInHand = 100;
    std::vector<int> all(static_cast<std::size_t>(Features::kInputs));
    for (int input = 0; input < Features::kHandStart; ++input) all[static_cast<std::size_t>(input)] = input;
    for (Color holder : {Color::White, Color::Black})
      for (int t = 0; t < kHandTypeCount; ++t)
        for (int n = 0; n < R::kHandCapacity[t]; ++n) {
          const auto type = static_cast<PieceType>(t);
          const FeatureIndex input = Features::hand_input(Color::White, holder, type, n);
          all[input] =
              kBoardInputs + kPromotedInputs + (index(holder) * kHandTypeCount + t) * kMostInHand + n;
        }
    return all;
  });
}

/// By plain input of `variant`: the same fact's plain input of `old_variant`, -1 if it has none.
std::vector<int> plain_origins(Variant old_variant, Variant variant) {
  const std::vector<int> old_meanings = meanings(old_variant);
  std::vector<int> origins;
  for (int meaning : meanings(variant)) {
    const auto place = std::find(old_meanings.begin(), old_meanings.end(), meaning);
    origins.push_back(place == old_meanings.end() ? -1 : static_cast<int>(place - old_meanings.begin()));
  }
  return origins;
}

}  // namespace

Result<InputTransfer> transfer_inputs(Variant old_variant, const FeatureScheme& old_scheme, Variant variant,
                                      const FeatureScheme& scheme) {
  const InputMap old_map(old_variant, old_scheme);
  const InputMap map(variant, scheme);
  InputTransfer result;
  result.row_in_bucket.assign(static_cast<std::size_t>(map.rows_per_bucket()), -1);
  result.bucket.assign(static_cast<std::size_t>(map.buckets()), -1);

  // A mirrored view has its royal man on files e to h; the old net's weights for him there are taken.
  std::vector<int> old_orientation(static_cast<std::size_t>(map.orientations()), -1);
  for (int s = 0; s < kSquareCount; ++s) {
    const auto square = static_cast<Square>(s);
    if (scheme.mirror && file_of(square) < 4) continue;
    int& old = old_orientation[static_cast<std::size_t>(map.orientation(square))];
    if (old >= 0 && old != old_map.orientation(square)) return Failure{kTellsKingsApart};
    old = old_map.orientation(square);
  }

  const std::vector<int> origins = plain_origins(old_variant, variant);
  for (int o = 0; o < map.orientations(); ++o) {
    const int old = old_orientation[static_cast<std::size_t>(o)];
    if (old < 0) continue;
    const auto rows = map.table(o);
    const auto old_rows = old_map.table(old);
    for (std::size_t input = 0; input < rows.size(); ++input) {
      if (rows[input] == kNoRow) continue;
      const auto bucket = static_cast<std::size_t>(rows[input] / map.rows_per_bucket());
      const auto row = static_cast<std::size_t>(rows[input] % map.rows_per_bucket());
      if (origins[input] < 0) continue;
      const FeatureIndex old_row = old_rows[static_cast<std::size_t>(origins[input])];
      if (old_row == kNoRow) continue;
      const int old_in_bucket = old_row % old_map.rows_per_bucket();
      int& origin = result.row_in_bucket[row];
      if (origin >= 0 && origin != old_in_bucket) return Failure{kTellsKingsApart};
      origin = old_in_bucket;
      result.bucket[bucket] = old_row / old_map.rows_per_bucket();
    }
  }
  return result;
}

}  // namespace farrier
