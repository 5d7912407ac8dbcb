#include "engine/nnue/features.h"

#include <algorithm>

#include "engine/base/rng.h"
#include "engine/variants/dispatch.h"

namespace farrier {

template <VariantRules R>
void active_features(const Board& board, Color view, FeatureList& out) {
  using Features = FeatureSet<R>;
  for (Square s : board.occupied()) out.push_back(Features::board_input(view, board.at(s), s));
  if constexpr (Features::kHasPromoted)
    for (Square s : board.promoted) out.push_back(Features::promoted_input(view, board.at(s), s));
  if constexpr (R::kHasDrops)
    for (Color holder : {Color::White, Color::Black})
      for (int t = 0; t < kHandTypeCount; ++t) {
        const PieceType type = static_cast<PieceType>(t);
        // A FEN without marks can bring more officers into a hand than there are inputs; they count as the
        // most.
        const int held = std::min<int>(board.in_hand(holder, type), R::kHandCapacity[t]);
        for (int n = 0; n < held; ++n) out.push_back(Features::hand_input(view, holder, type, n));
      }
}

int feature_count(Variant v) {
  return with_rules(v, []<VariantRules R>() { return FeatureSet<R>::kInputs; });
}

std::uint32_t feature_set_hash(Variant v) {
  return with_rules(v, []<VariantRules R>() {
    constexpr std::uint64_t kNumberingVersion = 1;  // raise when the numbering changes
    std::uint64_t h = mix64(kNumberingVersion) ^ static_cast<std::uint64_t>(FeatureSet<R>::kInputs);
    for (char c : R::kUciName) h = mix64(h ^ static_cast<std::uint64_t>(c));
    return static_cast<std::uint32_t>(h);
  });
}

#define INSTANTIATE(R) template void active_features<R>(const Board&, Color, FeatureList&);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
