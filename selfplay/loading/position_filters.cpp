#include "selfplay/loading/position_filters.h"

#include <cstdlib>

#include <fmt/format.h>

#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

template <VariantRules R>
bool is_checking_drop(const Board& board, Move move) {
  return R::kHasDrops && move.is_drop() && check_squares<R>(board).gives_check(board, move);
}

}  // namespace

FilterCounts& FilterCounts::operator+=(const FilterCounts& other) {
  plies += other.plies;
  no_score += other.no_score;
  first_plies += other.first_plies;
  exploratory += other.exploratory;
  in_check += other.in_check;
  noisy += other.noisy;
  checking_drops += other.checking_drops;
  max_score += other.max_score;
  kept += other.kept;
  return *this;
}

std::string FilterCounts::to_text() const {
  std::string text = fmt::format("{} plies: {} without a score", plies, no_score);
  const auto item = [&text](std::int64_t count, const char* name) {
    text += fmt::format(", {} by {}", count, name);
  };
  item(first_plies, "first_plies");
  if (exploratory > 0) item(exploratory, "exploratory");
  item(in_check, "in_check");
  item(noisy, "noisy");
  if (checking_drops > 0) item(checking_drops, "checking_drops");
  item(max_score, "max_score_cp");
  return text + fmt::format("; {} kept", kept);
}

template <VariantRules R>
bool keeps(const PositionFilters& filters, const GameRecord& game, const Board& board, std::size_t ply,
           FilterCounts& counts) {
  ++counts.plies;
  const Move move = game.moves[ply];
  const int score_cp_stm = game.scores_cp_stm[ply];
  const auto took = [](std::int64_t& count) {
    ++count;
    return false;
  };
  if (score_cp_stm == kNoScore) return took(counts.no_score);
  if (ply < static_cast<std::size_t>(game.random_plies) + static_cast<std::size_t>(filters.first_plies))
    return took(counts.first_plies);
  if (filters.exploratory && game.is_exploratory(ply)) return took(counts.exploratory);
  if (filters.in_check && is_check<R>(board)) return took(counts.in_check);
  if (filters.noisy && is_noisy(board, move)) return took(counts.noisy);
  if (filters.checking_drops && is_checking_drop<R>(board, move)) return took(counts.checking_drops);
  if (std::abs(score_cp_stm) > filters.max_score_cp) return took(counts.max_score);
  ++counts.kept;
  return true;
}

#define FARRIER_INSTANTIATE(R) \
  template bool keeps<R>(const PositionFilters&, const GameRecord&, const Board&, std::size_t, FilterCounts&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
