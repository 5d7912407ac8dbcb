// When a node or a move needs no search: each rule a small pure function.
#pragma once

#include "engine/search/score.h"
#include "engine/search/search_params.h"

namespace farrier {

/// What the rules look at.
struct NodeContext {
  int depth;
  Score alpha;
  Score beta;
  Score static_eval;  // from the side to move; meaningless in check
  bool in_check;
  bool is_pv;
};

/// The evaluation is so far above beta that a shallow search will hardly bring it below.
inline bool reverse_futility_prunes(const NodeContext& n) {
  return !n.is_pv && !n.in_check && n.depth <= params::kReverseFutilityMaxDepth && !is_mate_score(n.beta) &&
         n.static_eval - params::kReverseFutilityMargin * n.depth >= n.beta;
}

/// Passing the turn is worth a try: a side that stands above beta even so needs no move.
inline bool null_move_applies(const NodeContext& n) {
  return !n.is_pv && !n.in_check && n.depth >= params::kNullMoveMinDepth && n.static_eval >= n.beta &&
         !is_mate_score(n.beta);
}

inline int null_move_reduction(int depth) { return params::kNullMoveBase + depth / params::kNullMoveDivisor; }

/// So many moves have failed that the later quiet ones are hopeless.
inline bool late_move_prunes(const NodeContext& n, int moves_searched) {
  return n.depth <= params::kLateMoveMaxDepth && !n.in_check &&
         moves_searched >= params::kLateMoveBase + params::kLateMoveFactor * n.depth * n.depth;
}

/// A quiet move can't lift so low an evaluation to alpha.
inline bool futility_prunes(const NodeContext& n) {
  return n.depth <= params::kFutilityMaxDepth && !n.in_check &&
         n.static_eval + params::kFutilityBase + params::kFutilityMargin * n.depth <= n.alpha;
}

/// The loss by static exchange that a move may have and still be searched; centipawns, negative.
inline Score exchange_threshold(int depth, bool quiet) {
  return -(quiet ? params::kExchangeQuietMargin * depth : params::kExchangeNoisyMargin * depth);
}

}  // namespace farrier
