// The first layer's sums along a line of play, brought up to date only when a score is asked for.
//
// A view's sums are made from those of the nearest position before it on the line whose sums are known, by the inputs
// that differ. So moves need not report what they change, and positions that are never evaluated cost nothing. Where
// the view's orientation has changed since (see InputMap), they're made from the last sums that had this orientation.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/nnue/input_changes.h"
#include "engine/nnue/input_map.h"
#include "engine/nnue/kernels.h"
#include "engine/nnue/net_file.h"

namespace farrier {

template <VariantRules R>
class Accumulators {
 public:
  /// Room for lines of `plies` positions.
  Accumulators(std::shared_ptr<const Net> net, int plies)
      : net_(std::move(net)),
        map_(net_->variant, net_->architecture.features),
        kernels_(net_kernels(net_->architecture.hidden, net_->architecture.activation)),
        hidden_(static_cast<std::size_t>(net_->architecture.hidden)),
        known_(static_cast<std::size_t>(plies), {Board().key, Board().key}),
        values_(static_cast<std::size_t>(plies) * kColorCount * hidden_) {
    for (auto& entries : refreshed_)
      entries.assign(static_cast<std::size_t>(map_.orientations()), {Board(), net_->feature_bias});
  }

  /// Makes the sums of `line[ply]` those that `view(ply, ...)` shows.
  void bring_up_to_date(const Board* line, int ply) {
    const int base = find_base(line, ply, Color::White);
    // Of a plain net both views are known for the same positions.
    const int other_base = map_.is_plain() ? base : find_base(line, ply, Color::Black);
    if (base == other_base) {
      update(line, base, ply, {Color::White, Color::Black});
    } else {
      update(line, base, ply, {Color::White});
      update(line, other_base, ply, {Color::Black});
    }
  }

  const std::int16_t* view(int ply, Color c) const { return &values_[offset(ply, c)]; }

 private:
  static constexpr int kNone = -1;

  /// The last sums that were made anew for an orientation of a view, and their position.
  struct Refreshed {
    Board board;
    Weights sums;
  };

  std::int16_t* sums(int ply, Color c) { return &values_[offset(ply, c)]; }
  std::size_t offset(int ply, Color c) const {
    return (static_cast<std::size_t>(ply) * kColorCount + static_cast<std::size_t>(index(c))) * hidden_;
  }
  int orientation(const Board& board, Color view) const {
    return map_.orientation(relative(view, board.royal(view)));
  }

  /// The ply whose sums those of `ply` are made from: known, and of the same orientation. Ply 0 becomes known for that.
  int find_base(const Board* line, int ply, Color view) {
    int base = ply;
    while (base > 0 && known_[static_cast<std::size_t>(base)][index(view)] != line[base].key) --base;
    if (base == 0 && known_[0][index(view)] != line[0].key)
      for (Color c : {Color::White, Color::Black}) refresh(line[0], 0, c);
    if (map_.orientations() > 1 && orientation(line[base], view) != orientation(line[ply], view))
      return kNone;
    return base;
  }

  void update(const Board* line, int base, int ply, std::initializer_list<Color> views) {
    if (base == ply) return;
    if (base == kNone) {
      for (Color view : views) refresh(line[ply], ply, view);
      return;
    }
    const InputChanges changes = input_changes<R>(line[base], line[ply]);
    for (Color view : views) {
      apply(changes, view, map_.is_plain() ? 0 : orientation(line[ply], view), this->view(base, view),
            sums(ply, view));
      known_[static_cast<std::size_t>(ply)][index(view)] = line[ply].key;
    }
  }

  /// From the last sums of the same orientation, or from nothing if that is nearer. Rare, so kept out of the way.
  [[gnu::noinline]] void refresh(const Board& board, int ply, Color view) {
    const int turned = orientation(board, view);
    Refreshed& last = refreshed_[index(view)][static_cast<std::size_t>(turned)];
    InputChanges changes = input_changes<R>(last.board, board);
    if (changes.count() > static_cast<std::size_t>(board.occupied().count())) {
      changes = input_changes<R>(Board(), board);
      last.sums = net_->feature_bias;
    }
    apply(changes, view, turned, last.sums.data(), last.sums.data());
    last.board = board;
    std::copy(last.sums.begin(), last.sums.end(), sums(ply, view));
    known_[static_cast<std::size_t>(ply)][index(view)] = board.key;
  }

  void apply(const InputChanges& changes, Color view, int turned, const std::int16_t* from,
             std::int16_t* to) {
    const InputChanges::List& added = changes.added[index(view)];
    const InputChanges::List& removed = changes.removed[index(view)];
    if (map_.is_plain()) {
      kernels_.update(from, to, net_->feature_weights.data(), as_list(added), as_list(removed));
      return;
    }
    InputChanges::List added_rows, removed_rows;
    map_rows(added, turned, added_rows);
    map_rows(removed, turned, removed_rows);
    kernels_.update(from, to, net_->feature_weights.data(), as_list(added_rows), as_list(removed_rows));
  }

  void map_rows(const InputChanges::List& inputs, int turned, InputChanges::List& rows) const {
    const std::span<const FeatureIndex> table = map_.table(turned);
    for (FeatureIndex input : inputs)
      if (table[input] != kNoRow) rows.push_back(table[input]);
  }

  static InputList as_list(const InputChanges::List& inputs) {
    return {inputs.begin(), static_cast<int>(inputs.size())};
  }

  std::shared_ptr<const Net> net_;
  InputMap map_;
  const NetKernels& kernels_;
  std::size_t hidden_;
  std::array<std::vector<Refreshed>, kColorCount> refreshed_;  // by view and orientation
  /// By ply and view: the key of the position that its sums stand for; at first that of the empty board, which no
  /// position has.
  std::vector<std::array<std::uint64_t, kColorCount>> known_;
  Weights values_;  // [ply][view][hidden]
};

}  // namespace farrier
