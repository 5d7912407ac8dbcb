// Which inputs of the net differ between two positions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/nnue/features.h"

namespace farrier {

/// Inputs switched on and off on the way from one position to another, for each view.
struct InputChanges {
  using List = StaticVector<FeatureIndex, 2 * kMaxActiveInputs>;
  std::array<List, kColorCount> added;
  std::array<List, kColorCount> removed;

  std::size_t count() const { return added[0].size() + removed[0].size(); }
};

namespace detail {

/// The board input of a man on a1 as each view numbers it, by Piece::bits() without the mark. A man elsewhere adds the
/// square that the view sees.
template <VariantRules R>
constexpr auto kBoardInputStart = [] {
  std::array<std::array<FeatureIndex, 16>, kColorCount> start{};
  for (Color view : {Color::White, Color::Black})
    for (Color c : {Color::White, Color::Black})
      for (int t = 0; t < kPieceTypeCount; ++t) {
        const Piece piece(c, static_cast<PieceType>(t));
        start[index(view)][piece.bits()] =
            FeatureSet<R>::board_input(view, piece, relative(view, Square::A1));
      }
  return start;
}();

/// Inlined, for it is called for two or three men a node.
template <VariantRules R>
[[gnu::always_inline]] inline void add_man(std::array<InputChanges::List, kColorCount>& lists, Piece piece,
                                           Square s) {
  for (Color view : {Color::White, Color::Black})
    lists[index(view)].push_back(static_cast<FeatureIndex>(
        kBoardInputStart<R>[index(view)][piece.bits() & 15] + index(relative(view, s))));
  if constexpr (FeatureSet<R>::kHasPromoted)
    if (piece.promoted())
      for (Color view : {Color::White, Color::Black})
        lists[index(view)].push_back(FeatureSet<R>::promoted_input(view, piece, s));
}

template <VariantRules R>
void add_hand_changes(InputChanges& changes, const Board& from, const Board& to) {
  for (Color holder : {Color::White, Color::Black})
    for (int t = 0; t < kHandTypeCount; ++t) {
      const PieceType type = static_cast<PieceType>(t);
      if (from.in_hand(holder, type) == to.in_hand(holder, type)) continue;
      const int then = std::min<int>(from.in_hand(holder, type), R::kHandCapacity[t]);
      const int now = std::min<int>(to.in_hand(holder, type), R::kHandCapacity[t]);
      auto& lists = now > then ? changes.added : changes.removed;
      for (int n = std::min(then, now); n < std::max(then, now); ++n)
        for (Color view : {Color::White, Color::Black})
          lists[index(view)].push_back(FeatureSet<R>::hand_input(view, holder, type, n));
    }
}

}  // namespace detail

template <VariantRules R>
InputChanges input_changes(const Board& from, const Board& to) {
  InputChanges changes;
  Bitboard differing = (from.by_color[0] ^ to.by_color[0]) | (from.by_color[1] ^ to.by_color[1]);
  for (int t = 0; t < kPieceTypeCount; ++t) differing |= from.by_type[t] ^ to.by_type[t];
  if constexpr (FeatureSet<R>::kHasPromoted) differing |= from.promoted ^ to.promoted;
  for (Square s : differing& from.occupied()) detail::add_man<R>(changes.removed, from.at(s), s);
  for (Square s : differing& to.occupied()) detail::add_man<R>(changes.added, to.at(s), s);
  if constexpr (R::kHasDrops)
    if (from.hands != to.hands) detail::add_hand_changes<R>(changes, from, to);
  return changes;
}

}  // namespace farrier
