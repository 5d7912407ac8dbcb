// The search of a node: what ends it, what prunes it whole, and its moves.
#include <algorithm>

#include "engine/search/search_worker.h"
#include "engine/search/see.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// Whether the side to move has more than pawns: without, having to move may itself be the trouble.
bool has_officers(const Board& board) {
  const Bitboard pawns_and_royal = board.men(PieceType::Pawn) | board.men(PieceType::King);
  const auto& hand = board.hands[index(board.side_to_move)];
  return (board.men(board.side_to_move) & ~pawns_and_royal).any() ||
         std::any_of(hand.begin(), hand.end(), [](int held) { return held > 0; });
}

}  // namespace

/// Principal variation search, fail-soft: the score of `boards_[ply]` from the side to move, exact within
/// (alpha, beta), a bound outside.
template <VariantRules R>
Score SearchWorker<R>::negamax(int ply, int depth, Score alpha, Score beta, bool cut_node) {
  const Board& board = boards_[ply];
  const bool in_check = is_check<R>(board);
  if (in_check && ply < 2 * root_depth_) ++depth;  // a check is no place to judge
  if (depth <= 0) return quiescence(ply, 0, alpha, beta);

  count_node();
  if (stopped()) return 0;
  pv_.clear(ply);
  const bool is_root = ply == 0;
  const bool is_pv = beta - alpha > 1;

  // What the rules decide, and what no mate can change.
  if (!is_root) {
    if (const auto score = score_by_rule(ply)) return *score;
    if (ply >= kMaxPly) return in_check ? kDraw : evaluator_->evaluate(boards_.data(), ply);
    alpha = std::max(alpha, mated_in(ply));
    beta = std::min(beta, mate_in(ply + 1));
    if (alpha >= beta) return alpha;
  }

  // What an earlier search found.
  const auto entry = shared_.table.probe(board.key);
  if (entry && !is_pv && entry->depth >= depth) {
    const Score score = score_from_table(entry->score, ply);
    if (entry->settles(score, alpha, beta)) return score;
  }

  // What the evaluation and shallow searches decide.
  NodeContext node = look_at_node(ply, depth, alpha, beta, in_check, entry);
  node.cut_node = cut_node;
  if (const auto score = prune_node(ply, node)) return *score;
  if (depth >= 4 && !entry) --node.depth;  // without a table move, a shallower search finds one more cheaply

  // What the moves lead to.
  return search_moves(ply, node, entry);
}

/// The node's moves one by one, until one beats beta; then the table learns what was found.
template <VariantRules R>
Score SearchWorker<R>::search_moves(int ply, NodeContext node, const std::optional<TableEntry>& entry) {
  const Board& board = boards_[ply];
  const bool is_root = ply == 0;
  const Score old_alpha = node.alpha;
  const CheckSquares checks = check_squares<R>(board);
  MovePicker<R> picker(params_, board, entry ? entry->move : Move(), plies_[ply].killers, histories_,
                       previous(ply), checks);
  TriedMoves tried;
  Score best = -kInfinite;
  Move best_move;
  int searched = 0;
  plies_[ply + 1].killers = {};
  for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
    if (is_root) {
      if (is_excluded_at_root(move)) continue;
      if (listener_->on_root_move) listener_->on_root_move(root_depth_, move, searched + 1);
    }
    const MoveContext facts = look_at(ply, move, searched + 1, checks);
    if (!is_root && !is_mate_score(best) && searched > 0 && prunes_move(node, board, move, facts, picker))
      continue;
    make(ply, move);
    ++searched;
    const int reduction = late_move_reduction(params_, reductions_, node, facts);
    const Score score = search_move(ply + 1, node.depth - 1, node, reduction, searched == 1);
    unmake();
    if (stopped()) return 0;

    if (score > best) {
      best = score;
      if (score > node.alpha) {
        node.alpha = score;
        best_move = move;
        if (node.is_pv) pv_.update(ply, move);
        if (is_root && score < node.beta) keep_root_line(score);
        if (score >= node.beta) {
          learn_cutoff(ply, node.depth, move, tried);
          break;
        }
      }
    }
    tried.add(move, facts.quiet);
  }
  if (searched == 0) return node.in_check ? mated_in(ply) : kDraw;

  if (is_root && line_ > 0) return best;  // the best of the rest is not the position's score
  const Bound bound = best >= node.beta ? Bound::Lower : best > old_alpha ? Bound::Exact : Bound::Upper;
  shared_.table.store(board.key, {best_move, score_to_table(best, ply), node.static_eval, node.depth, bound});
  return best;
}

/// Searches the position after a move, at first so as only to refute that it beats alpha.
template <VariantRules R>
Score SearchWorker<R>::search_move(int ply, int depth, const NodeContext& node, int reduction, bool first) {
  const Score alpha = node.alpha;
  const Score beta = node.beta;
  if (first) return -negamax(ply, depth, -beta, -alpha, !node.is_pv && !node.cut_node);
  const int reduced = std::max(depth - reduction, std::min(depth, 1));
  Score score = -negamax(ply, reduced, -alpha - 1, -alpha, true);
  if (score > alpha && reduction > 0) score = -negamax(ply, depth, -alpha - 1, -alpha, !node.cut_node);
  if (score > alpha && score < beta) score = -negamax(ply, depth, -beta, -alpha, false);
  return score;
}

/// What is known of a node before its moves are looked at.
template <VariantRules R>
NodeContext SearchWorker<R>::look_at_node(int ply, int depth, Score alpha, Score beta, bool in_check,
                                          const std::optional<TableEntry>& entry) {
  NodeContext node = {};
  node.depth = depth;
  node.alpha = alpha;
  node.beta = beta;
  node.is_pv = beta - alpha > 1;
  node.in_check = in_check;
  node.noisy_table_move = entry && !entry->move.is_none() && is_noisy(boards_[ply], entry->move);
  node.static_eval = in_check ? kNoEval : static_eval(ply, entry);
  node.estimate = plies_[ply].static_eval = node.static_eval;
  if (in_check) return node;
  const Score before = ply > 1 ? plies_[ply - 2].static_eval : kNoEval;
  node.improving = before != kNoEval && node.static_eval > before;
  if (!entry) return node;
  const Score score = score_from_table(entry->score, ply);
  if (!is_mate_score(score) && entry->settles(score, node.static_eval, node.static_eval))
    node.estimate = score;
  return node;
}

/// A score for the whole node from its evaluation or from searches much shallower; nothing if its moves must be
/// searched.
template <VariantRules R>
std::optional<Score> SearchWorker<R>::prune_node(int ply, const NodeContext& node) {
  if (reverse_futility_prunes(params_, node)) return node.estimate;
  if (razoring_applies(params_, node)) {
    const Score score = quiescence(ply, 0, node.alpha, node.alpha + 1);
    if (stopped() || score <= node.alpha) return score;
  }
  if (null_move_applies(node) && !plies_[ply - 1].null_move && has_officers(boards_[ply])) {
    const Score score = search_null_move(ply, node);
    if (stopped() || score >= node.beta) return is_mate_score(score) ? node.beta : score;
  }
  return std::nullopt;
}

template <VariantRules R>
Score SearchWorker<R>::search_null_move(int ply, const NodeContext& node) {
  make_null(ply);
  plies_[ply].null_move = true;
  const Score score = -negamax(ply + 1, node.depth - null_move_reduction(params_, node), -node.beta,
                               -node.beta + 1, !node.cut_node);
  unmake();
  plies_[ply].null_move = false;
  return score;
}

template <VariantRules R>
MoveContext SearchWorker<R>::look_at(int ply, Move move, int number, const CheckSquares& checks) const {
  const Board& board = boards_[ply];
  const Killers& killers = plies_[ply].killers;
  const bool quiet = !is_noisy(board, move);
  return {.number = number,
          .quiet = quiet,
          .is_drop = move.is_drop(),
          .is_killer = move == killers[0] || move == killers[1],
          .gives_check = checks.gives_check(board, move),
          .history = quiet ? histories_.quiet.score(params_, board, move, previous(ply)) : 0};
}

template <VariantRules R>
bool SearchWorker<R>::prunes_move(const NodeContext& node, const Board& board, Move move,
                                  const MoveContext& facts, MovePicker<R>& picker) const {
  if (facts.quiet && !node.is_pv && !facts.gives_check) {
    if (late_move_prunes(params_, node, facts.number - 1) || futility_prunes(params_, node)) {
      picker.skip_quiets();
      return true;
    }
    if (history_prunes(params_, node, facts.history)) return true;
  }
  return node.depth <= params_.exchange_depth && !node.in_check &&
         !see_at_least<R>(board, move, exchange_threshold(params_, node.depth, facts.quiet));
}

#define INSTANTIATE(R) template Score SearchWorker<R>::negamax(int, int, Score, Score, bool);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
