// A list of moves with a score each, handed out from the best down.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "engine/chess/movegen.h"

namespace farrier {

class MoveOrder {
 public:
  /// Generate into it, then call `score`.
  MoveList& moves() { return moves_; }
  /// Scores the moves from number `first` on by `f(move)`.
  template <class F>
  void score(std::size_t first, F&& f) {
    for (std::size_t i = first; i < moves_.size(); ++i) scores_[i] = f(moves_[i]);
  }
  void clear() {
    moves_.clear();
    taken_ = 0;
  }

  /// The best of the moves not yet taken; none at the end. One step of a selection sort: most nodes cut off before
  /// the list is in order.
  Move take_best() {
    if (taken_ == moves_.size()) return Move();
    // The highest score first, then its place: two plain loops that the compiler makes faster than one that keeps both.
    int highest = scores_[taken_];
    for (std::size_t i = taken_ + 1; i < moves_.size(); ++i) highest = std::max(highest, scores_[i]);
    std::size_t best = taken_;
    while (scores_[best] != highest) ++best;
    std::swap(moves_[taken_], moves_[best]);
    std::swap(scores_[taken_], scores_[best]);
    return moves_[taken_++];
  }
  /// The score of the move that was taken last.
  int last_score() const { return scores_[taken_ - 1]; }

 private:
  MoveList moves_;
  std::array<int, MoveList::kCapacity> scores_;  // left unset beyond the moves, as MoveList is
  std::size_t taken_ = 0;
};

}  // namespace farrier
