#include "selfplay/convert/game_joiner.h"

#include <utility>

#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"
#include "selfplay/convert/imported_game.h"

namespace farrier {
namespace {

std::int16_t recorded_score(const std::optional<int>& score_cp_stm) {
  return score_cp_stm ? static_cast<std::int16_t>(*score_cp_stm) : kNoScore;
}

}  // namespace

template <VariantRules R>
void GameJoiner<R>::add(const PositionRow& row) {
  if (last_ && !continues(row)) finish();
  if (last_) {
    record_.moves.push_back(*last_->move);
    record_.scores_cp_stm.push_back(recorded_score(last_->score_cp_stm));
  } else {
    record_.start_fen = to_fen<R>(row.board);
  }
  last_ = row;
}

template <VariantRules R>
void GameJoiner<R>::finish() {
  if (!last_) return;
  const std::optional<int> result = last_->result_white;
  if (last_->move) {
    record_.moves.push_back(*last_->move);
    record_.scores_cp_stm.push_back(recorded_score(last_->score_cp_stm));
  }
  GameRecord game = std::exchange(record_, {});
  last_.reset();
  if (game.moves.empty()) {
    refuse_("a position alone, without the move played there, makes no game");
  } else if (const auto reason = settle_imported<R>(game, result, false)) {
    refuse_("a game of " + std::to_string(game.moves.size()) + " plies from " + game.start_fen + " " +
            *reason);
  } else {
    game_(std::move(game));
  }
}

/// Finds the move to the row, too.
template <VariantRules R>
bool GameJoiner<R>::continues(const PositionRow& row) {
  if (last_->result_white != row.result_white || record_.moves.size() + 1 >= kMaxGamePlies) return false;
  if (last_->move) return after<R>(last_->board, *last_->move).key == row.board.key;
  for (const Move move : legal_moves<R>(last_->board)) {
    if (after<R>(last_->board, move).key != row.board.key) continue;
    last_->move = move;
    return true;
  }
  return false;
}

#define FARRIER_INSTANTIATE(R) template class GameJoiner<R>;
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
