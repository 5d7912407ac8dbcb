// What a searching thread does beside the tree itself: its line of positions, its draws, its histories, its limits.
#include "engine/search/search_worker.h"

#include <algorithm>

#include "engine/chess/make_move.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
/// A look at clock and control costs some 30 ns, these nodes a good part of a millisecond.
constexpr std::uint64_t kNodesBetweenLooks = 256;

int history_bonus(const SearchParams& p, int depth) {
  return std::min(p.history_slope * depth, p.history_max_bonus);
}

}  // namespace

template <VariantRules R>
SearchWorker<R>::SearchWorker(SharedState& shared, std::size_t thread, const SearcherOptions& options)
    : shared_(shared),
      nodes_(shared.counters[thread].nodes),
      params_(options.params),
      first_depth_(1 + static_cast<int>(thread % 2)),
      evaluator_(make_evaluator<R>(options.net, options.noise)),
      reductions_(options.params) {}

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

/// A move that made a cutoff is praised, those tried before it are blamed.
template <VariantRules R>
void SearchWorker<R>::learn_cutoff(int ply, int depth, Move best, const TriedMoves& tried) {
  const Board& board = boards_[ply];
  const int bonus = history_bonus(params_, depth);
  if (is_noisy(board, best)) {
    histories_.captures.add(board, best, bonus);
  } else {
    Killers& killers = plies_[ply].killers;
    if (killers[0] != best) killers = {best, killers[0]};
    histories_.quiet.add(board, best, previous(ply), bonus);
    for (Move m : tried.quiet) histories_.quiet.add(board, m, previous(ply), -bonus);
  }
  for (Move m : tried.noisy) histories_.captures.add(board, m, -bonus);
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
void SearchWorker<R>::make_null(int ply) {
  plies_[ply].man_target = PreviousMoves::kNone;
  boards_[ply + 1] = boards_[ply];
  make_null_move(boards_[ply + 1]);
  keys_.push_back(boards_[ply + 1].key);
}

template <VariantRules R>
PreviousMoves SearchWorker<R>::previous(int ply) const {
  return {ply > 0 ? plies_[ply - 1].man_target : PreviousMoves::kNone,
          ply > 1 ? plies_[ply - 2].man_target : PreviousMoves::kNone};
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
  histories_.clear();
  plies_ = {};
}

#define INSTANTIATE(R)                                                                       \
  template SearchWorker<R>::SearchWorker(SharedState&, std::size_t, const SearcherOptions&); \
  template std::optional<Score> SearchWorker<R>::score_by_rule(int) const;                   \
  template Score SearchWorker<R>::static_eval(int, const std::optional<TableEntry>&);        \
  template void SearchWorker<R>::learn_cutoff(int, int, Move, const TriedMoves&);            \
  template void SearchWorker<R>::make(int, Move);                                            \
  template void SearchWorker<R>::make_null(int);                                             \
  template PreviousMoves SearchWorker<R>::previous(int) const;                               \
  template void SearchWorker<R>::count_node();                                               \
  template Score SearchWorker<R>::evaluate(const Board&);                                    \
  template void SearchWorker<R>::clear();
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
