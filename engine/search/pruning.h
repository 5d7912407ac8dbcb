// When a node or a move needs no search: each rule a small pure function.
#pragma once

#include <algorithm>

#include "engine/search/score.h"
#include "engine/search/search_params.h"

namespace farrier {

/// What the rules know of a node.
struct NodeContext {
  int depth = 0;
  Score alpha = 0;
  Score beta = 0;
  Score static_eval = 0;   // from the side to move; meaningless in check, as the next two
  Score estimate = 0;      // the same, or what the table knows better
  bool improving = false;  // it rises against the own move before
  bool in_check = false;
  bool is_pv = false;
  bool cut_node = false;  // a move that fails high is expected
  bool noisy_table_move = false;
};

/// What they know of a move.
struct MoveContext {
  int number;  // from 1, of those searched
  bool quiet;
  bool is_drop;
  bool is_killer;
  bool gives_check;  // directly
  int history;       // 0 for noisy moves
};

/// The evaluation is so far above beta that a shallow search will hardly bring it below.
inline bool reverse_futility_prunes(const SearchParams& p, const NodeContext& n) {
  return !n.is_pv && !n.in_check && n.depth <= p.reverse_futility_depth && !is_mate_score(n.beta) &&
         n.estimate - p.reverse_futility_margin * n.depth >= n.beta;
}

/// The evaluation is so far below alpha that only a capture could mend it.
inline bool razoring_applies(const SearchParams& p, const NodeContext& n) {
  return !n.is_pv && !n.in_check && n.depth <= p.razoring_depth && !is_mate_score(n.alpha) &&
         n.estimate + p.razoring_base + p.razoring_margin * n.depth <= n.alpha;
}

/// Passing the turn is worth a try: a side that stands above beta even so needs no move.
inline bool null_move_applies(const NodeContext& n) {
  return !n.is_pv && !n.in_check && n.depth >= params::kNullMoveMinDepth && n.estimate >= n.beta &&
         !is_mate_score(n.beta);
}

inline int null_move_reduction(const SearchParams& p, const NodeContext& n) {
  return p.null_move_base + n.depth / p.null_move_divisor +
         std::min((n.estimate - n.beta) / p.null_move_margin, 3);
}

/// So many moves have failed that the later quiet ones are hopeless.
inline bool late_move_prunes(const SearchParams& p, const NodeContext& n, int moves_searched) {
  const int limit = p.late_move_base + p.late_move_factor * n.depth * n.depth;
  return n.depth <= p.late_move_depth && !n.in_check &&
         100 * moves_searched >= (n.improving ? limit : limit * p.late_move_worsening / 100);
}

/// A quiet move can't lift so low an evaluation to alpha.
inline bool futility_prunes(const SearchParams& p, const NodeContext& n) {
  return n.depth <= p.futility_depth && !n.in_check &&
         n.static_eval + p.futility_base + p.futility_margin * n.depth <= n.alpha;
}

/// A quiet move has mostly failed.
inline bool history_prunes(const SearchParams& p, const NodeContext& n, int history) {
  return n.depth <= p.history_pruning_depth && !n.in_check && history < -p.history_pruning_margin * n.depth;
}

/// The loss by static exchange that a move may have and still be searched; centipawns, negative.
inline Score exchange_threshold(const SearchParams& p, int depth, bool quiet) {
  return -(quiet ? p.exchange_quiet_margin : p.exchange_noisy_margin) * depth;
}

}  // namespace farrier
