// The principal variation, collected as a triangle of lines.
#pragma once

#include <array>
#include <vector>

#include "engine/chess/move.h"
#include "engine/search/score.h"

namespace farrier {

class PvTable {
 public:
  void clear(int ply) { length_[ply] = 0; }
  /// `move`, then the line of the next ply.
  void update(int ply, Move move) {
    lines_[ply][0] = move;
    for (int i = 0; i < length_[ply + 1]; ++i) lines_[ply][i + 1] = lines_[ply + 1][i];
    length_[ply] = length_[ply + 1] + 1;
  }
  std::vector<Move> line() const { return {lines_[0].begin(), lines_[0].begin() + length_[0]}; }

 private:
  std::array<std::array<Move, kMaxPly + 2>, kMaxPly + 2> lines_{};
  std::array<int, kMaxPly + 2> length_{};
};

}  // namespace farrier
