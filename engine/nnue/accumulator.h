// The first layer's sums for both views, and the men that they stand for.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/nnue/features.h"
#include "engine/nnue/net_file.h"

namespace farrier {

template <VariantRules R, int Hidden>
class Accumulator {
 public:
  using Values = Eigen::Array<std::int16_t, Hidden, 1>;

  /// The key of the position that the sums stand for.
  std::uint64_t key() const { return key_; }
  const Values& view(Color c) const { return values_[index(c)]; }

  /// Computes the sums from nothing.
  void refresh(const Net& net, const Board& board) {
    for (Color view : {Color::White, Color::Black}) {
      FeatureList active;
      active_features<R>(board, view, active);
      Values& values = values_[index(view)];
      values = Eigen::Map<const Values>(net.feature_bias.data());
      for (FeatureIndex i : active) values += row(net, i);
    }
    remember(board);
  }

  /// Computes the sums from those of `base`, any other position, by the men that differ.
  void update_from(const Accumulator& base, const Net& net, const Board& board) {
    const Changes changes = base.changes_to(board);
    if (changes.added[0].size() + changes.removed[0].size() >
        static_cast<std::size_t>(board.occupied().count()))
      return refresh(net, board);
    for (int view = 0; view < kColorCount; ++view) {
      Values values = base.values_[view];
      for (FeatureIndex i : changes.added[view]) values += row(net, i);
      for (FeatureIndex i : changes.removed[view]) values -= row(net, i);
      values_[view] = values;
    }
    remember(board);
  }

 private:
  using Features = FeatureSet<R>;

  /// Inputs switched on and off, by view.
  struct Changes {
    std::array<StaticVector<FeatureIndex, 2 * kMaxActiveInputs>, kColorCount> added;
    std::array<StaticVector<FeatureIndex, 2 * kMaxActiveInputs>, kColorCount> removed;
  };

  static Eigen::Map<const Values, Eigen::Aligned32> row(const Net& net, FeatureIndex i) {
    return Eigen::Map<const Values, Eigen::Aligned32>(net.feature_weights.data() + std::size_t{i} * Hidden);
  }

  void remember(const Board& board) {
    squares_ = board.squares;
    hands_ = board.hands;
    key_ = board.key;
  }

  Changes changes_to(const Board& board) const {
    Changes changes;
    for (Square s : differing_squares(board)) {
      add_man(changes.removed, squares_[index(s)], s);
      add_man(changes.added, board.at(s), s);
    }
    if constexpr (R::kHasDrops) add_hand_changes(changes, board);
    return changes;
  }

  /// Compares eight squares at a time.
  Bitboard differing_squares(const Board& board) const {
    std::uint64_t differing = 0;
    for (int rank = 0; rank < 8; ++rank) {
      std::uint64_t then = 0;
      std::uint64_t now = 0;
      std::memcpy(&then, squares_.data() + 8 * rank, 8);
      std::memcpy(&now, board.squares.data() + 8 * rank, 8);
      for (std::uint64_t rest = then ^ now; rest != 0;) {
        const int file = std::countr_zero(rest) / 8;
        differing |= std::uint64_t{1} << (8 * rank + file);
        rest &= ~(std::uint64_t{0xFF} << (8 * file));
      }
    }
    return Bitboard(differing);
  }

  template <class Lists>
  static void add_man(Lists& lists, Piece piece, Square s) {
    if (piece.is_none()) return;
    for (Color view : {Color::White, Color::Black}) {
      lists[index(view)].push_back(Features::board_input(view, piece, s));
      if (Features::kHasPromoted && piece.promoted())
        lists[index(view)].push_back(Features::promoted_input(view, piece, s));
    }
  }

  void add_hand_changes(Changes& changes, const Board& board) const {
    if (hands_ == board.hands) return;
    for (Color holder : {Color::White, Color::Black})
      for (int t = 0; t < kHandTypeCount; ++t) {
        const int then = std::min<int>(hands_[index(holder)][t], R::kHandCapacity[t]);
        const int now = std::min<int>(board.hands[index(holder)][t], R::kHandCapacity[t]);
        auto& lists = now > then ? changes.added : changes.removed;
        for (int n = std::min(then, now); n < std::max(then, now); ++n)
          for (Color view : {Color::White, Color::Black})
            lists[index(view)].push_back(Features::hand_input(view, holder, static_cast<PieceType>(t), n));
      }
  }

  std::array<Values, kColorCount> values_;
  std::array<Piece, kSquareCount> squares_{};
  std::array<std::array<std::uint8_t, kHandTypeCount>, kColorCount> hands_{};
  std::uint64_t key_ = 0;
};

}  // namespace farrier
