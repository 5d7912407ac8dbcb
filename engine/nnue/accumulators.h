// The first layer's sums along a line of play, brought up to date only when a score is asked for.
//
// A position's sums are made from those of the nearest position before it on the line whose sums are known, by the
// inputs that differ. So moves need not report what they change, and positions that are never evaluated cost nothing.
#pragma once

#include <memory>
#include <vector>

#include "engine/nnue/input_changes.h"
#include "engine/nnue/kernels.h"
#include "engine/nnue/net_file.h"

namespace farrier {

template <VariantRules R>
class Accumulators {
 public:
  /// Room for lines of `plies` positions.
  Accumulators(std::shared_ptr<const Net> net, int plies)
      : net_(std::move(net)),
        kernels_(net_kernels(net_->hidden)),
        hidden_(static_cast<std::size_t>(net_->hidden)),
        known_(static_cast<std::size_t>(plies), Board().key),
        values_(static_cast<std::size_t>(plies) * kColorCount * hidden_) {
    for (int ply = 0; ply < plies; ++ply)
      for (Color c : {Color::White, Color::Black})
        std::copy(net_->feature_bias.begin(), net_->feature_bias.end(), sums(ply, c));
  }

  /// Makes the sums of `line[ply]` those that `view(ply, ...)` shows.
  void bring_up_to_date(const Board* line, int ply) {
    int base = ply;
    while (base > 0 && known_[base] != line[base].key) --base;
    if (base == 0 && known_[0] != line[0].key) {
      move_root(line[0]);
      known_[0] = line[0].key;
    }
    if (base == ply) return;
    apply(input_changes<R>(line[base], line[ply]), base, ply);
    known_[ply] = line[ply].key;
  }

  const std::int16_t* view(int ply, Color c) const { return &values_[offset(ply, c)]; }

 private:
  std::int16_t* sums(int ply, Color c) { return &values_[offset(ply, c)]; }
  std::size_t offset(int ply, Color c) const {
    return (static_cast<std::size_t>(ply) * kColorCount + static_cast<std::size_t>(index(c))) * hidden_;
  }

  /// The line begins elsewhere: from the old root's sums, or from nothing if that is nearer.
  void move_root(const Board& root) {
    InputChanges changes = input_changes<R>(root_, root);
    if (changes.count() > static_cast<std::size_t>(root.occupied().count())) {
      changes = input_changes<R>(Board(), root);
      for (Color c : {Color::White, Color::Black})
        std::copy(net_->feature_bias.begin(), net_->feature_bias.end(), sums(0, c));
    }
    apply(changes, 0, 0);
    root_ = root;
  }

  void apply(const InputChanges& changes, int from, int to) {
    const auto as_list = [](const InputChanges::List& inputs) {
      return InputList{inputs.begin(), static_cast<int>(inputs.size())};
    };
    for (Color c : {Color::White, Color::Black})
      kernels_.update(view(from, c), sums(to, c), net_->feature_weights.data(),
                      as_list(changes.added[index(c)]), as_list(changes.removed[index(c)]));
  }

  std::shared_ptr<const Net> net_;
  const NetKernels& kernels_;
  std::size_t hidden_;
  Board root_;                        // what the sums of ply 0 stand for
  std::vector<std::uint64_t> known_;  // by ply: the key of the position that its sums stand for
  Weights values_;                    // [ply][view][hidden]
};

}  // namespace farrier
