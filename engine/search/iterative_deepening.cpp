// The search of the root: depth after depth, one window for each of the best lines, until a limit is reached.
#include <algorithm>

#include "engine/chess/movegen.h"
#include "engine/search/search_worker.h"
#include "engine/variants/dispatch.h"

namespace farrier {

template <VariantRules R>
SearchReport SearchWorker<R>::run(const Game<R>& game, const SearchListener& listener) {
  listener_ = &listener;
  start(game);
  if (lines_.empty()) return {};
  MoveStability stability;
  bool finished = true;
  int told_depth = 0;
  for (int depth = first_depth_; may_start_iteration(depth, stability) && finished; ++depth) {
    finished = search_lines(depth);
    if (!finished) break;
    stability.observe(lines_[0].pv[0], lines_[0].score);
    told_depth = depth;
    if (listener.on_report)
      for (std::size_t line = 0; line < lines_.size(); ++line) listener.on_report(report(line));
    if (found_the_mate()) break;
  }
  if (!finished) settle_lines();
  // What the unfinished iteration found is played, so it is also told; and something is told in any case.
  if (listener.on_report && (lines_[0].depth > told_depth || told_depth == 0))
    for (std::size_t line = 0; line < lines_.size(); ++line) listener.on_report(report(line));
  return report(0);
}

/// After an iteration that was cut short: what it found goes first, then the best of the one before that it has not
/// found again. If there is none before, the evaluation stands for a score.
template <VariantRules R>
void SearchWorker<R>::settle_lines() {
  const std::size_t wanted = lines_.size();
  const auto found_anew = [this](const RootLine& line) { return line.depth == root_depth_; };
  std::erase_if(lines_, [&](const RootLine& line) { return root_depth_ > 1 && !found_anew(line); });
  for (const RootLine& line : finished_) {
    if (lines_.size() == wanted) break;
    if (std::none_of(lines_.begin(), lines_.end(), [&](const RootLine& l) { return l.pv[0] == line.pv[0]; }))
      lines_.push_back(line);
  }
  for (RootLine& line : lines_)
    if (line.depth == 0) line.score = evaluator_->evaluate(boards_.data(), 0);
}

template <VariantRules R>
void SearchWorker<R>::start(const Game<R>& game) {
  boards_[0] = game.board();
  keys_ = game.keys();
  root_keys_ = keys_.size();
  plies_ = {};
  line_ = 0;
  lines_.clear();
  // The first moves stand for what is played if not even the first iteration can be finished.
  const auto wanted = static_cast<std::size_t>(std::max(shared_.limits.multi_pv, 1));
  int allowed = 0;
  for (Move m : legal_moves<R>(boards_[0])) {
    if (is_excluded_at_root(m)) continue;
    ++allowed;
    if (lines_.size() < wanted) lines_.push_back({.pv = {m}});
  }
  has_choice_ = allowed > 1;
}

/// One iteration over all lines; false if it was cut short.
template <VariantRules R>
bool SearchWorker<R>::search_lines(int depth) {
  root_depth_ = depth;
  finished_ = lines_;
  for (line_ = 0; line_ < lines_.size(); ++line_) {
    selective_depth_ = 0;
    search_root(depth, lines_[line_].score);
    if (stopped()) return false;
  }
  line_ = 0;
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const RootLine& a, const RootLine& b) { return a.score > b.score; });
  return true;
}

/// A narrow window about the last score, widened on the side where it fails.
template <VariantRules R>
Score SearchWorker<R>::search_root(int depth, Score previous) {
  Score window = depth < params::kAspirationMinDepth ? kInfinite : params_.aspiration_window;
  Score alpha = std::max(previous - window, -kInfinite);
  Score beta = std::min(previous + window, kInfinite);
  while (true) {
    const Score score = negamax(0, depth, alpha, beta, false);
    if (stopped() || (score > alpha && score < beta)) return score;
    window = window > 500 ? kInfinite : 2 * window;
    if (score <= alpha)
      alpha = std::max(score - window, -kInfinite);
    else
      beta = std::min(score + window, kInfinite);
  }
}

/// A root move with an exact score above all before it: the line to play, even if this iteration is cut short.
template <VariantRules R>
void SearchWorker<R>::keep_root_line(Score score) {
  lines_[line_] = {score, root_depth_, std::max(selective_depth_, root_depth_), pv_.line()};
}

template <VariantRules R>
bool SearchWorker<R>::may_start_iteration(int depth, const MoveStability& stability) const {
  const SearchLimits& limits = shared_.limits;
  if (stopped() || depth >= kMaxPly || depth > limits.depth.value_or(kMaxPly)) return false;
  if (depth == first_depth_) return true;
  if (limits.soft_nodes && shared_.total_nodes() >= *limits.soft_nodes) return false;
  if (!limits.soft_time_ms || shared_.is_pondering()) return true;
  if (!has_choice_ && depth > params::kOnlyMoveDepth) return false;
  return static_cast<double>(shared_.elapsed_ms()) <
         static_cast<double>(*limits.soft_time_ms) * stability.time_factor();
}

template <VariantRules R>
bool SearchWorker<R>::found_the_mate() const {
  const auto& wanted = shared_.limits.mate;
  const Score score = lines_[0].score;
  return wanted && score > 0 && is_mate_score(score) && moves_to_mate(score) <= *wanted;
}

template <VariantRules R>
bool SearchWorker<R>::is_excluded_at_root(Move move) const {
  const auto& allowed = shared_.limits.search_moves;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), move) == allowed.end()) return true;
  return std::any_of(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(line_),
                     [move](const RootLine& line) { return line.pv[0] == move; });
}

template <VariantRules R>
SearchReport SearchWorker<R>::report(std::size_t line) const {
  const RootLine& found = lines_[line];
  SearchReport r;
  r.pv = found.pv;
  r.best_move = found.pv[0];
  r.score_cp_stm = found.score;
  r.multi_pv = static_cast<int>(line) + 1;
  r.depth = found.depth;
  r.selective_depth = found.selective_depth;
  r.nodes = shared_.total_nodes();
  r.elapsed_ms = shared_.elapsed_ms();
  r.hash_permille = shared_.table.permille_full();
  return r;
}

#define INSTANTIATE(R)                                                               \
  template SearchReport SearchWorker<R>::run(const Game<R>&, const SearchListener&); \
  template bool SearchWorker<R>::is_excluded_at_root(Move) const;                    \
  template void SearchWorker<R>::keep_root_line(Score);
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
