#include "selfplay/data/replay.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "engine/chess/notation.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

bool follows_from_rules(Termination t) { return t <= Termination::DeadPosition; }

/// Whether a game that the rules did not end may carry this termination and result.
std::optional<std::string> find_fault_in_adjudication(const GameRecord& game) {
  if (follows_from_rules(game.termination))
    return fmt::format("recorded as {}, but the rules do not end it there",
                       termination_name(game.termination));
  if ((game.termination == Termination::AdjudicatedWin) != (game.result_white != 0))
    return fmt::format("recorded as {} with result {}", termination_name(game.termination),
                       game.result_white);
  return std::nullopt;
}

}  // namespace

template <VariantRules R>
std::optional<std::string> find_fault(const GameRecord& game, ScoreRule rule) {
  const Result<Board> start = parse_fen<R>(game.start_fen);
  if (!start) return "start FEN: " + start.reason();
  const auto& marked = game.exploratory_plies;
  if (std::adjacent_find(marked.begin(), marked.end(), std::greater_equal<>()) != marked.end() ||
      (!marked.empty() && (marked.front() < game.random_plies || marked.back() >= game.moves.size())))
    return "a mark of exploration where no search chose the move";
  Game<R> walk(*start);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    if (const auto end = walk.outcome())
      return fmt::format("goes on after its end by {} at ply {}", termination_name(end->termination), ply);
    if (!is_legal<R>(walk.board(), game.moves[ply])) return fmt::format("illegal move at ply {}", ply);
    const bool scored = game.scores_cp_stm[ply] != kNoScore;
    if (scored ? ply < game.random_plies : ply >= game.random_plies && rule == ScoreRule::Every)
      return fmt::format("a score where none belongs, or none where one does, at ply {}", ply);
    walk.play(game.moves[ply]);
  }
  const auto end = walk.outcome();
  if (!end) return find_fault_in_adjudication(game);
  if (end->termination != game.termination || end->result_white != game.result_white)
    return fmt::format("recorded as {} with result {}, but by the rules it is {} with result {}",
                       termination_name(game.termination), game.result_white,
                       termination_name(end->termination), end->result_white);
  return std::nullopt;
}

template <VariantRules R>
std::string describe_game(const GameRecord& game) {
  std::string text = game.start_fen + " moves";
  Result<Board> board = parse_fen<R>(game.start_fen);
  if (!board) return text;
  for (Move move : game.moves) {
    if (!is_legal<R>(*board, move)) return text + fmt::format(" (illegal: bits {:#06x})", move.bits());
    text += ' ' + to_uci(move);
    make_move<R>(*board, move);
  }
  return text;
}

#define FARRIER_INSTANTIATE(R)                                                     \
  template std::optional<std::string> find_fault<R>(const GameRecord&, ScoreRule); \
  template std::string describe_game<R>(const GameRecord&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
