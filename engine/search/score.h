// Scores: centipawns from the side to move, with mates at the far ends.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace farrier {

using Score = std::int32_t;

constexpr int kMaxPly = 128;  // deepest line a search follows
constexpr Score kInfinite = 32001;
constexpr Score kMateScore = 32000;  // mate on the board, from the winner's side
constexpr Score kMateInMaxPly = kMateScore - kMaxPly;
/// Static evaluations stay within this.
constexpr Score kMaxEval = kMateInMaxPly - 1;
constexpr Score kDraw = 0;

constexpr Score mate_in(int ply) { return kMateScore - ply; }
constexpr Score mated_in(int ply) { return -kMateScore + ply; }
constexpr bool is_mate_score(Score s) { return s >= kMateInMaxPly || s <= -kMateInMaxPly; }
/// Full moves to mate as UCI counts them: positive if the side to move mates. Only for mate scores.
constexpr int moves_to_mate(Score s) { return s > 0 ? (kMateScore - s + 1) / 2 : -(kMateScore + s) / 2; }

}  // namespace farrier
