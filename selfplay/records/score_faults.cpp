#include "selfplay/records/score_faults.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"

namespace farrier {
namespace {

template <VariantRules R>
bool is_mate(const Board& board) {
  return is_check<R>(board) && !has_legal_move<R>(board);
}

template <VariantRules R>
bool can_mate(const Board& board) {
  const MoveList moves = legal_moves<R>(board);
  return std::any_of(moves.begin(), moves.end(), [&](Move m) { return is_mate<R>(after<R>(board, m)); });
}

}  // namespace

template <VariantRules R>
std::optional<std::string> find_score_fault(const GameRecord& game, bool chose_moves) {
  const bool mated = game.termination == Termination::Checkmate;
  std::optional<std::string> fault;
  replay<R>(game, [&](const Board& board, Move, std::int16_t score, std::size_t ply) {
    if (fault || score == kNoScore || !is_mate_score(score)) return;
    const std::size_t left = game.moves.size() - ply;
    const auto contradicted = [&](const char* by) {
      fault = fmt::format("its score at ply {} is {}, but {}", ply, score, by);
    };
    if (score == mate_in(1) && !(mated && left == 1) && !can_mate<R>(board))
      contradicted("no move mates in one there");
    if (fault || !chose_moves) return;
    if (mated && left == 1 && score < 0) contradicted("that side mates with its move");
    if (mated && left == 2 && score > 0) contradicted("that side is mated by the next move");
  });
  return fault;
}

#define FARRIER_INSTANTIATE(R) \
  template std::optional<std::string> find_score_fault<R>(const GameRecord&, bool);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
