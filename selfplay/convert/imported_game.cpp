#include "selfplay/convert/imported_game.h"

#include <fmt/format.h>

#include "engine/chess/fen.h"
#include "engine/chess/movegen.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"
#include "selfplay/records/game_content.h"

namespace farrier {

template <VariantRules R>
std::optional<std::string> settle_imported(GameRecord& game, std::optional<int> result_white,
                                           bool at_ply_limit) {
  if (game.moves.size() > kMaxGamePlies) return fmt::format("is longer than {} plies", kMaxGamePlies);
  if (game.moves.empty()) return "has no move";
  const Result<Board> start = parse_fen<R>(game.start_fen);
  if (!start) return start.reason();
  Game<R> walk(*start);
  for (const Move move : game.moves) {
    if (const auto end = walk.outcome())
      return fmt::format("goes on after its end by {}", termination_name(end->termination));
    if (!is_legal<R>(walk.board(), move)) return "has an illegal move";
    walk.play(move);
  }
  const auto end = walk.outcome();
  if (end && result_white && *result_white != end->result_white)
    return fmt::format("has another result than the rules give it, {}", termination_name(end->termination));
  if (!end && !result_white) return "has no result";
  game.result_white = end ? end->result_white : *result_white;
  game.termination = end                      ? end->termination
                     : game.result_white != 0 ? Termination::AdjudicatedWin
                     : at_ply_limit           ? Termination::PlyLimit
                                              : Termination::AdjudicatedDraw;
  if (game.game_seed == 0) game.game_seed = content_hash(game);
  return std::nullopt;
}

#define FARRIER_INSTANTIATE(R) \
  template std::optional<std::string> settle_imported<R>(GameRecord&, std::optional<int>, bool);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
