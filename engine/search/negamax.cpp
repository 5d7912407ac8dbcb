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
  const Move excluded = plies_[ply].excluded;
  if (in_check && ply < 2 * root_depth_ && excluded.is_none()) ++depth;  // a check is no place to judge
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
  std::optional<TableEntry> entry;
  if (excluded.is_none()) entry = shared_.table.probe(board.key);
  if (entry && !is_pv && entry->depth >= depth) {
    const Score score = score_from_table(entry->score, ply);
    if (entry->settles(score, alpha, beta)) return score;
  }

  // What the evaluation and shallow searches decide.
  NodeContext node = {};
  node.depth = depth;
  node.alpha = alpha;
  node.beta = beta;
  node.in_check = in_check;
  node.is_pv = is_pv;
  node.cut_node = cut_node;
  const Score raw = evaluate_node(ply, entry, node);
  if (excluded.is_none()) {
    if (const auto score = prune_node(ply, node)) return *score;
    if (stopped()) return 0;
    if (depth >= 4 && !entry)
      --node.depth;  // without a table move, a shallower search finds one more cheaply
  }

  // The moves.
  MovePicker<R> picker(params_, board, entry ? entry->move : Move(), plies_[ply].killers, histories_,
                       previous(ply));
  const CheckSquares checks = check_squares<R>(board);
  TriedMoves tried;
  Score best = -kInfinite;
  Move best_move;
  int searched = 0;
  plies_[ply + 1].killers = {};
  for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
    if (move == excluded) continue;
    if (is_root) {
      if (is_excluded_at_root(move)) continue;
      if (listener_->on_root_move) listener_->on_root_move(root_depth_, move, searched + 1);
    }
    const MoveContext facts = look_at(ply, move, searched + 1, checks);
    if (!is_root && !is_mate_score(best) && searched > 0 && prunes_move(node, board, move, facts, picker))
      continue;
    int extension = 0;
    if (entry && move == entry->move && singular_applies(ply, node, *entry)) {
      const Singularity found = test_singularity(ply, node, *entry);
      if (stopped()) return 0;
      if (found.cutoff) return *found.cutoff;
      extension = found.extension;
    }

    make(ply, move);
    ++searched;
    const int reduction = late_move_reduction(params_, reductions_, node, facts);
    const Score score = search_move(ply + 1, node.depth - 1 + extension, node, reduction, searched == 1);
    unmake();
    if (stopped()) return 0;

    if (score > best) {
      best = score;
      if (score > node.alpha) {
        node.alpha = score;
        best_move = move;
        if (is_pv) pv_.update(ply, move);
        if (is_root && score < beta) keep_root_line(score);
        if (score >= beta) {
          learn_cutoff(ply, node.depth, move, tried);
          break;
        }
      }
    }
    tried.add(move, facts.quiet);
  }
  if (!excluded.is_none()) return searched == 0 ? alpha : best;
  if (searched == 0) return in_check ? mated_in(ply) : kDraw;

  if (is_root && line_ > 0) return best;  // the best of the rest is not the position's score
  const Bound bound = best >= beta ? Bound::Lower : best > alpha ? Bound::Exact : Bound::Upper;
  learn_correction(ply, node, best, best_move, bound);
  shared_.table.store(board.key, {best_move, score_to_table(best, ply), raw, node.depth, bound});
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

/// Fills in what the evaluation says of a node. Returns what the evaluator said, for the table.
template <VariantRules R>
Score SearchWorker<R>::evaluate_node(int ply, const std::optional<TableEntry>& entry, NodeContext& node) {
  Ply& here = plies_[ply];
  node.noisy_table_move = entry && !entry->move.is_none() && is_noisy(boards_[ply], entry->move);
  const Score raw = node.in_check ? kNoEval : here.excluded.is_none() ? raw_eval(ply, entry) : here.raw_eval;
  here.raw_eval = raw;
  here.static_eval = node.static_eval = node.estimate = raw;
  if (node.in_check) return raw;
  here.static_eval = node.static_eval = node.estimate = corrected(ply, raw);
  const Score before = ply > 1 ? plies_[ply - 2].static_eval : kNoEval;
  node.improving = before != kNoEval && node.static_eval > before;
  if (entry) {
    const Score score = score_from_table(entry->score, ply);
    if (!is_mate_score(score) && entry->settles(score, node.static_eval, node.static_eval))
      node.estimate = score;
  }
  return raw;
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
  if (probcut_applies(params_, node)) return search_probcut(ply, node);
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

/// Looks for a capture that beats beta by a margin already in a shallower search.
template <VariantRules R>
std::optional<Score> SearchWorker<R>::search_probcut(int ply, const NodeContext& node) {
  const Board& board = boards_[ply];
  const Score goal = node.beta + params_.probcut_margin;
  MovePicker<R> picker(params_, board, Move(), {}, histories_, previous(ply));
  picker.skip_quiets();
  for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
    if (!see_at_least<R>(board, move, std::max(goal - node.static_eval, 0))) continue;
    make(ply, move);
    Score score = -quiescence(ply + 1, 0, -goal, -goal + 1);
    if (score >= goal && !stopped())
      score = -negamax(ply + 1, node.depth - params_.probcut_reduction, -goal, -goal + 1, !node.cut_node);
    unmake();
    if (stopped() || score >= goal) return score;
  }
  return std::nullopt;
}

/// Whether the table's move is worth asking if it is the only good one.
template <VariantRules R>
bool SearchWorker<R>::singular_applies(int ply, const NodeContext& node, const TableEntry& entry) const {
  return ply > 0 && ply < 2 * root_depth_ && node.depth >= params_.singular_depth &&
         entry.depth >= node.depth - 3 && entry.bound != Bound::Upper && !is_mate_score(entry.score);
}

/// Searches the node without the table's move: if all else fails, that move is searched deeper; if something else
/// beats beta too, the node is cut.
template <VariantRules R>
auto SearchWorker<R>::test_singularity(int ply, const NodeContext& node, const TableEntry& entry)
    -> Singularity {
  const Score wall = entry.score - params_.singular_margin * node.depth / 16;
  plies_[ply].excluded = entry.move;
  const Score others = negamax(ply, (node.depth - 1) / 2, wall - 1, wall, node.cut_node);
  plies_[ply].excluded = Move();
  if (others < wall)
    return {.extension = !node.is_pv && others < wall - params_.double_extension_margin ? 2 : 1};
  if (others >= node.beta && !is_mate_score(others)) return {.cutoff = others};
  return {.extension = entry.score >= node.beta || node.cut_node ? -1 : 0};
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
  if (facts.quiet && !node.is_pv) {
    if (late_move_prunes(params_, node, facts.number - 1) || futility_prunes(params_, node)) {
      picker.skip_quiets();
      return true;
    }
    if (history_prunes(params_, node, facts.history)) return true;
  }
  return node.depth <= params_.exchange_depth && !node.in_check &&
         !see_at_least<R>(board, move, exchange_threshold(params_, node.depth, facts.quiet));
}

/// The static evaluation is corrected by what a search said, unless a capture explains the difference or the bound
/// says nothing of it.
template <VariantRules R>
void SearchWorker<R>::learn_correction(int ply, const NodeContext& node, Score best, Move best_move,
                                       Bound bound) {
  if (node.in_check || is_mate_score(best)) return;
  if (!best_move.is_none() && is_noisy(boards_[ply], best_move)) return;
  if (bound == Bound::Lower && best <= node.static_eval) return;
  if (bound == Bound::Upper && best >= node.static_eval) return;
  corrections_.learn(boards_[ply], previous(ply).theirs, node.depth, best - plies_[ply].raw_eval);
}

#define INSTANTIATE(R) template Score SearchWorker<R>::negamax(int, int, Score, Score, bool);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
