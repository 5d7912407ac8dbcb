// Which positions of games leave as positions. Records stay as they are; the trainer filters for itself.
#pragma once

#include <cstdlib>
#include <limits>
#include <optional>

#include "engine/chess/movegen.h"
#include "selfplay/data/game_record.h"

namespace farrier {

struct PositionFilters {
  bool skip_checks = false;  // the side to move stands in check
  bool skip_noisy = false;   // the move played captures or promotes
  int max_score_cp = std::numeric_limits<int>::max();
  int skip_plies = 0;  // after the opening

  template <VariantRules R>
  bool keep_position(const Board& board, std::optional<Move> move, int score_cp_stm) const {
    return std::abs(score_cp_stm) <= max_score_cp && !(skip_noisy && move && is_noisy(board, *move)) &&
           !(skip_checks && is_check<R>(board));
  }
  /// Positions without a score, and those whose score is of an exploratory move, never leave.
  template <VariantRules R>
  bool keep(const GameRecord& game, const Board& board, std::size_t ply) const {
    return game.scores_cp_stm[ply] != kNoScore && !game.is_exploratory(ply) &&
           ply >= static_cast<std::size_t>(game.random_plies) + static_cast<std::size_t>(skip_plies) &&
           keep_position<R>(board, game.moves[ply], game.scores_cp_stm[ply]);
  }
};

}  // namespace farrier
