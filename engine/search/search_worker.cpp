#include "engine/search/search_worker.h"

#include <algorithm>

#include "engine/chess/make_move.h"
#include "engine/search/see.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
/// A look at clock and control costs some 30 ns, these nodes a good part of a millisecond.
constexpr std::uint64_t kNodesBetweenLooks = 256;

/// Whether the side to move has more than pawns: without, having to move may itself be the trouble.
bool has_officers(const Board& board) {
  const Bitboard pawns_and_royal = board.men(PieceType::Pawn) | board.men(PieceType::King);
  const auto& hand = board.hands[index(board.side_to_move)];
  return (board.men(board.side_to_move) & ~pawns_and_royal).any() ||
         std::any_of(hand.begin(), hand.end(), [](int held) { return held > 0; });
}

int history_bonus(int depth) {
  return std::min(params::kHistoryBonusMax, params::kHistoryBonusSlope * depth);
}

}  // namespace

template <VariantRules R>
SearchWorker<R>::SearchWorker(SharedState& shared, std::size_t thread, const SearcherOptions& options)
    : shared_(shared),
      nodes_(shared.counters[thread].nodes),
      evaluator_(make_evaluator<R>(options.net, options.noise)) {}

/// Principal variation search, fail-soft: the score of `boards_[ply]` from the side to move, exact within
/// (alpha, beta), a bound outside.
template <VariantRules R>
Score SearchWorker<R>::negamax(int ply, int depth, Score alpha, Score beta) {
  const Board& board = boards_[ply];
  const bool in_check = is_check<R>(board);
  if (in_check && ply < 2 * root_depth_) ++depth;  // a check is no place to judge a position
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

  // What the evaluation alone decides.
  plies_[ply].static_eval = in_check ? kNoEval : static_eval(ply, entry);
  const NodeContext node{depth, alpha, beta, plies_[ply].static_eval, in_check, is_pv};
  if (reverse_futility_prunes(node)) return node.static_eval;
  if (null_move_applies(node) && !plies_[ply - 1].null_move && has_officers(board)) {
    const Score score = search_null_move(ply, depth, beta);
    if (stopped()) return 0;
    if (score >= beta) return is_mate_score(score) ? beta : score;
  }
  if (depth >= 4 && !entry) --depth;  // without a table move, a shallower search finds one more cheaply

  // The moves.
  MovePicker<R> picker(board, entry ? entry->move : Move(), plies_[ply].killers, history_,
                       previous_target(ply));
  StaticVector<Move, 64> failed_quiets;
  const Score old_alpha = alpha;
  Score best = -kInfinite;
  Move best_move;
  int searched = 0;
  plies_[ply + 1].killers = {};
  for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
    if (is_root) {
      if (is_excluded_at_root(move)) continue;
      if (listener_->on_root_move) listener_->on_root_move(root_depth_, move, searched + 1);
    }
    const bool quiet = !is_noisy(board, move);
    if (!is_root && !is_mate_score(best) && searched > 0 &&
        prunes_move(node, board, move, quiet, searched, picker))
      continue;

    const int history = quiet ? history_.score(board, move, previous_target(ply)) : 0;
    make(ply, move);
    ++searched;
    const int reduction =
        in_check ? 0 : late_move_reduction(reductions_, depth, searched, is_pv, quiet, history);
    const Score score = search_move(ply + 1, depth - 1, alpha, beta, reduction, searched == 1);
    unmake();
    if (stopped()) return 0;

    if (score > best) {
      best = score;
      if (score > alpha) {
        alpha = score;
        best_move = move;
        if (is_pv) pv_.update(ply, move);
        if (is_root && score < beta) keep_root_line(score);
        if (score >= beta) {
          if (quiet) reward_quiet(ply, depth, move, failed_quiets);
          break;
        }
      }
    }
    if (quiet && failed_quiets.size() < failed_quiets.kCapacity) failed_quiets.push_back(move);
  }
  if (searched == 0) return in_check ? mated_in(ply) : kDraw;

  if (is_root && line_ > 0) return best;  // the best of the rest is not the position's score
  const Bound bound = best >= beta ? Bound::Lower : best > old_alpha ? Bound::Exact : Bound::Upper;
  shared_.table.store(board.key,
                      {best_move, score_to_table(best, ply), plies_[ply].static_eval, depth, bound});
  return best;
}

/// Searches the position after a move, at first so as only to refute that it beats alpha.
template <VariantRules R>
Score SearchWorker<R>::search_move(int ply, int depth, Score alpha, Score beta, int reduction, bool first) {
  if (first) return -negamax(ply, depth, -beta, -alpha);
  Score score = -negamax(ply, std::max(depth - reduction, std::min(depth, 1)), -alpha - 1, -alpha);
  if (score > alpha && reduction > 0) score = -negamax(ply, depth, -alpha - 1, -alpha);
  if (score > alpha && score < beta) score = -negamax(ply, depth, -beta, -alpha);
  return score;
}

/// Captures, promotions, answers to checks, and the first checks by drop, until the position is quiet.
template <VariantRules R>
Score SearchWorker<R>::quiescence(int ply, int quiescence_ply, Score alpha, Score beta) {
  count_node();
  if (stopped()) return 0;
  pv_.clear(ply);
  selective_depth_ = std::max(selective_depth_, ply);
  const Board& board = boards_[ply];
  const bool in_check = is_check<R>(board);
  if (R::is_dead_position(board)) return kDraw;
  if (ply >= kMaxPly) return in_check ? kDraw : evaluator_->evaluate(boards_.data(), ply);

  const bool is_pv = beta - alpha > 1;
  const auto entry = shared_.table.probe(board.key);
  if (entry && !is_pv) {
    const Score score = score_from_table(entry->score, ply);
    if (entry->settles(score, alpha, beta)) return score;
  }

  Score best = mated_in(ply);
  const Score eval = in_check ? kNoEval : static_eval(ply, entry);
  if (!in_check) {
    best = eval;
    if (best >= beta) return best;
    alpha = std::max(alpha, best);
  }

  MoveOrder order;
  collect_quiescence_moves(ply, in_check, quiescence_ply == 0, order);
  if (in_check && order.moves().empty()) return mated_in(ply);

  Move best_move;
  int quiets = 0;
  for (Move move = order.take_best(); !move.is_none(); move = order.take_best()) {
    const bool quiet = !is_noisy(board, move);
    if (in_check) {
      if (quiet && !is_mate_score(best) && ++quiets > params::kQuiescenceQuietEvasions) continue;
    } else {
      if (!quiet && !move.is_promotion() && eval + order.last_score() / 16 + params::kDeltaMargin <= alpha)
        continue;
      if (!see_at_least<R>(board, move, 0)) continue;
    }
    make(ply, move);
    const Score score = -quiescence(ply + 1, quiescence_ply + 1, -beta, -alpha);
    unmake();
    if (stopped()) return 0;
    if (score <= best) continue;
    best = score;
    if (score <= alpha) continue;
    alpha = score;
    best_move = move;
    if (is_pv) pv_.update(ply, move);
    if (score >= beta) break;
  }
  const Bound bound = best >= beta ? Bound::Lower : Bound::Upper;
  shared_.table.store(board.key, {best_move, score_to_table(best, ply), eval, 0, bound});
  return best;
}

/// Noisy moves before quiet ones: all answers to a check, or the drops that give one.
template <VariantRules R>
void SearchWorker<R>::collect_quiescence_moves(int ply, bool in_check, bool with_drop_checks,
                                               MoveOrder& order) const {
  const Board& board = boards_[ply];
  generate_legal<R>(board, order.moves(), MoveKind::Noisy);
  order.score(0, [&](Move m) { return noisy_score<R>(board, m); });
  const std::size_t noisy = order.moves().size();
  if (in_check) generate_legal<R>(board, order.moves(), MoveKind::Quiet);
  if (!in_check && with_drop_checks) generate_drop_checks<R>(board, order.moves());
  const int previous = previous_target(ply);
  order.score(noisy, [&](Move m) { return history_.score(board, m, previous) - 10 * params::kHistoryMax; });
}

template <VariantRules R>
bool SearchWorker<R>::prunes_move(const NodeContext& node, const Board& board, Move move, bool quiet,
                                  int searched, MovePicker<R>& picker) const {
  if (quiet && !node.is_pv && (late_move_prunes(node, searched) || futility_prunes(node))) {
    picker.skip_quiets();
    return true;
  }
  return node.depth <= params::kExchangeMaxDepth && !node.in_check &&
         !see_at_least<R>(board, move, exchange_threshold(node.depth, quiet));
}

template <VariantRules R>
Score SearchWorker<R>::search_null_move(int ply, int depth, Score beta) {
  boards_[ply + 1] = boards_[ply];
  make_null_move(boards_[ply + 1]);
  plies_[ply].man_target = QuietHistory::kNoPrevious;
  plies_[ply].null_move = true;
  keys_.push_back(boards_[ply + 1].key);
  const Score score = -negamax(ply + 1, depth - null_move_reduction(depth), -beta, -beta + 1);
  keys_.pop_back();
  plies_[ply].null_move = false;
  return score;
}

template <VariantRules R>
std::optional<Score> SearchWorker<R>::score_by_rule(int ply) const {
  const Board& board = boards_[ply];
  if (R::is_dead_position(board) || repeats(ply)) return kDraw;
  if (board.halfmove_clock >= 100) {
    if (has_legal_move<R>(board)) return kDraw;
    return is_check<R>(board) ? mated_in(ply) : kDraw;
  }
  return std::nullopt;
}

/// Once more on the searched line is as good as a draw; before the root only the third time is one. In
/// crazyhouse positions recur across captures and drops, so the look-back goes to the start of the game.
template <VariantRules R>
bool SearchWorker<R>::repeats(int ply) const {
  const std::size_t now = keys_.size() - 1;
  const std::size_t reach =
      R::kCapturesGoToHand ? now : std::min<std::size_t>(now, boards_[ply].halfmove_clock);
  int before_root = 0;
  for (std::size_t back = 4; back <= reach; back += 2) {
    if (keys_[now - back] != keys_[now]) continue;
    if (now - back >= root_keys_ || ++before_root == 2) return true;
  }
  return false;
}

template <VariantRules R>
Score SearchWorker<R>::static_eval(int ply, const std::optional<TableEntry>& entry) {
  if (entry && entry->static_eval != kNoEval) return entry->static_eval;
  return evaluator_->evaluate(boards_.data(), ply);
}

template <VariantRules R>
void SearchWorker<R>::reward_quiet(int ply, int depth, Move best, const StaticVector<Move, 64>& failed) {
  Killers& killers = plies_[ply].killers;
  if (killers[0] != best) killers = {best, killers[0]};
  const int bonus = history_bonus(depth);
  history_.add(boards_[ply], best, previous_target(ply), bonus);
  for (Move m : failed) history_.add(boards_[ply], m, previous_target(ply), -bonus);
}

template <VariantRules R>
void SearchWorker<R>::make(int ply, Move move) {
  shared_.table.prefetch(approximate_key_after<R>(boards_[ply], move));
  plies_[ply].man_target = man_target(boards_[ply], move);
  boards_[ply + 1] = boards_[ply];
  make_move<R>(boards_[ply + 1], move);
  keys_.push_back(boards_[ply + 1].key);
}

template <VariantRules R>
int SearchWorker<R>::previous_target(int ply) const {
  return ply == 0 ? QuietHistory::kNoPrevious : plies_[ply - 1].man_target;
}

template <VariantRules R>
void SearchWorker<R>::count_node() {
  const std::uint64_t nodes = nodes_.load(kRelaxed) + 1;
  nodes_.store(nodes, kRelaxed);
  const SearchLimits& limits = shared_.limits;
  const bool alone = shared_.counters.size() == 1;
  if (alone && limits.hard_nodes && nodes >= *limits.hard_nodes) shared_.stop.store(true, kRelaxed);
  if (nodes % kNodesBetweenLooks != 0) return;
  if ((limits.control != nullptr && limits.control->stopped()) ||
      (limits.hard_time_ms && !shared_.is_pondering() && shared_.elapsed_ms() >= *limits.hard_time_ms) ||
      (limits.hard_nodes && shared_.total_nodes() >= *limits.hard_nodes))
    shared_.stop.store(true, kRelaxed);
}

template <VariantRules R>
Score SearchWorker<R>::evaluate(const Board& board) {
  boards_[0] = board;
  return evaluator_->evaluate(boards_.data(), 0);
}

template <VariantRules R>
void SearchWorker<R>::clear() {
  history_.clear();
  plies_ = {};
}

#define INSTANTIATE(R) template class SearchWorker<R>;
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
