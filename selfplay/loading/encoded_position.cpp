#include "selfplay/loading/encoded_position.h"

#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// Enters what is one fact: white's input of it, and black's.
template <VariantRules R>
void fill(std::vector<FeatureIndex>& table) {
  using Features = FeatureSet<R>;
  const auto pair = [&table](FeatureIndex white, FeatureIndex black) {
    table[white] = black;
    table[black] = white;
  };
  for (Color color : {Color::White, Color::Black}) {
    for (int s = 0; s < kSquareCount; ++s) {
      const Square square = static_cast<Square>(s);
      for (int t = 0; t < kPieceTypeCount; ++t) {
        // A type that this variant does not have.
        if (Features::plane(static_cast<PieceType>(t)) * kSquareCount >= kBoardInputs / 2) continue;
        const Piece piece(color, static_cast<PieceType>(t));
        pair(Features::board_input(Color::White, piece, square),
             Features::board_input(Color::Black, piece, square));
        if constexpr (Features::kHasPromoted)
          pair(Features::promoted_input(Color::White, piece, square),
               Features::promoted_input(Color::Black, piece, square));
      }
    }
    for (int t = 0; t < kHandTypeCount; ++t)
      for (int n = 0; n < R::kHandCapacity[t]; ++n)
        pair(Features::hand_input(Color::White, color, static_cast<PieceType>(t), n),
             Features::hand_input(Color::Black, color, static_cast<PieceType>(t), n));
  }
}

}  // namespace

OtherView::OtherView(Variant variant) : table_(static_cast<std::size_t>(feature_count(variant))) {
  with_rules(variant, [this]<VariantRules R>() { fill<R>(table_); });
}

}  // namespace farrier
