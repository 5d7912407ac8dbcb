// How well quiet moves have done so far: the order in which later nodes try them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/search/search_params.h"

namespace farrier {

/// A bounded score with gravity: each bonus counts less the nearer the score is to its limit.
class HistoryScore {
 public:
  int value() const { return value_; }
  void add(int bonus) {
    value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / params::kHistoryMax);
  }

 private:
  std::int16_t value_ = 0;
};

/// A move as "which man goes where", with drops as men of their own.
constexpr int kManKinds = kPieceTypeCount + kHandTypeCount;
constexpr int kManTargets = kManKinds * kSquareCount;
inline int man_target(const Board& board, Move m) {
  const int kind = m.is_drop() ? kPieceTypeCount + index(m.dropped()) : index(board.at(m.from()).type());
  return kind * kSquareCount + index(m.to());
}

/// Quiet-move statistics of one searching thread.
class QuietHistory {
 public:
  QuietHistory() : continuation_(kManTargets + 1) {}

  /// Index of "no previous move" for the continuation.
  static constexpr int kNoPrevious = kManTargets;

  /// `previous` is the man_target of the opponent's last move, or kNoPrevious.
  int score(const Board& board, Move m, int previous) const {
    return butterfly_[index(board.side_to_move)][origin(m)][index(m.to())].value() +
           continuation_[previous][man_target(board, m)].value();
  }

  void add(const Board& board, Move m, int previous, int bonus) {
    butterfly_[index(board.side_to_move)][origin(m)][index(m.to())].add(bonus);
    continuation_[previous][man_target(board, m)].add(bonus);
  }

  void clear() {
    butterfly_ = {};
    std::fill(continuation_.begin(), continuation_.end(), std::array<HistoryScore, kManTargets>{});
  }

 private:
  static constexpr int kOrigins = kSquareCount + kHandTypeCount;
  static int origin(Move m) { return m.is_drop() ? kSquareCount + index(m.dropped()) : index(m.from()); }

  std::array<std::array<std::array<HistoryScore, kSquareCount>, kOrigins>, kColorCount> butterfly_{};
  std::vector<std::array<HistoryScore, kManTargets>> continuation_;
};

}  // namespace farrier
