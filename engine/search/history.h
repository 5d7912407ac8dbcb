// How well moves have done so far: the order in which later nodes try them.
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

/// The man_targets of the two moves that led to a node; kNone where there is none.
struct PreviousMoves {
  static constexpr int kNone = kManTargets;
  int theirs = kNone;
  int ours = kNone;
};

/// Statistics of quiet moves, of one searching thread.
class QuietHistory {
 public:
  QuietHistory() : replies_(kManTargets + 1), plans_(kManTargets + 1) {}

  int score(const SearchParams& p, const Board& board, Move m, const PreviousMoves& previous) const {
    const int target = man_target(board, m);
    return butterfly_[index(board.side_to_move)][origin(m)][index(m.to())].value() +
           replies_[previous.theirs][target].value() +
           plans_[previous.ours][target].value() * p.continuation_two / 100;
  }

  void add(const Board& board, Move m, const PreviousMoves& previous, int bonus) {
    const int target = man_target(board, m);
    butterfly_[index(board.side_to_move)][origin(m)][index(m.to())].add(bonus);
    replies_[previous.theirs][target].add(bonus);
    plans_[previous.ours][target].add(bonus);
  }

  void clear() {
    butterfly_ = {};
    std::fill(replies_.begin(), replies_.end(), Targets{});
    std::fill(plans_.begin(), plans_.end(), Targets{});
  }

 private:
  using Targets = std::array<HistoryScore, kManTargets>;
  static constexpr int kOrigins = kSquareCount + kHandTypeCount;
  static int origin(Move m) { return m.is_drop() ? kSquareCount + index(m.dropped()) : index(m.from()); }

  std::array<std::array<std::array<HistoryScore, kSquareCount>, kOrigins>, kColorCount> butterfly_{};
  std::vector<Targets> replies_;  // to the opponent's last move
  std::vector<Targets> plans_;    // after the own move before
};

/// Statistics of captures and promotions: which man takes what where.
class CaptureHistory {
 public:
  int score(const Board& board, Move m) const {
    return scores_[index(board.side_to_move)][man_target(board, m)][victim(board, m)].value();
  }
  void add(const Board& board, Move m, int bonus) {
    scores_[index(board.side_to_move)][man_target(board, m)][victim(board, m)].add(bonus);
  }
  void clear() { scores_ = {}; }

 private:
  static int victim(const Board& board, Move m) {
    return m.is_en_passant() ? index(PieceType::Pawn) : index(board.at(m.to()).type());
  }

  static constexpr int kMen = kPieceTypeCount * kSquareCount;
  std::array<std::array<std::array<HistoryScore, kPieceTypeCount + 1>, kMen>, kColorCount> scores_{};
};

/// All that a searching thread knows of moves.
struct Histories {
  QuietHistory quiet;
  CaptureHistory captures;

  void clear() {
    quiet.clear();
    captures.clear();
  }
};

}  // namespace farrier
