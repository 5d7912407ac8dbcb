// The search of captures, promotions, answers to checks, and the first checks, until the position is quiet.
#include <algorithm>

#include "engine/search/search_worker.h"
#include "engine/search/see.h"
#include "engine/variants/dispatch.h"

namespace farrier {

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
  collect_quiescence_moves(ply, in_check, quiescence_ply < params_.quiescence_checks, order);
  if (in_check && order.moves().empty()) return mated_in(ply);

  Move best_move;
  int quiets = 0;
  for (Move move = order.take_best(); !move.is_none(); move = order.take_best()) {
    const bool quiet = !is_noisy(board, move);
    if (in_check) {
      if (quiet && !is_mate_score(best) && ++quiets > params_.quiescence_evasions) continue;
    } else {
      if (!quiet && !move.is_promotion() && eval + noisy_gain<R>(board, move) + params_.delta_margin <= alpha)
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

/// Noisy moves before quiet ones: all answers to a check, or the moves and drops that give one.
template <VariantRules R>
void SearchWorker<R>::collect_quiescence_moves(int ply, bool in_check, bool with_checks,
                                               MoveOrder& order) const {
  const Board& board = boards_[ply];
  generate_legal<R>(board, order.moves(), MoveKind::Noisy);
  order.score(0, [&](Move m) { return noisy_score<R>(params_, board, histories_.captures, m); });
  const std::size_t noisy = order.moves().size();
  if (in_check) generate_legal<R>(board, order.moves(), MoveKind::Quiet);
  if (!in_check && with_checks) generate_quiet_checks<R>(board, order.moves());
  constexpr int kBehindNoisy = -10 * params::kHistoryMax;
  order.score(
      noisy, [&](Move m) { return histories_.quiet.score(params_, board, m, previous(ply)) + kBehindNoisy; });
}

#define INSTANTIATE(R) template Score SearchWorker<R>::quiescence(int, int, Score, Score);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
