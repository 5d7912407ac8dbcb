// Walks a recorded game position by position: the one way in which training and checks look at records.
#pragma once

#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/base/result.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/variants/variant_rules.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// Calls `visit(board_before, move, score_cp_stm, ply)` for every ply and returns the board at the end. A FEN
/// or move that the rules refuse throws UserError: run `farrier data check` to see the game.
template <VariantRules R, class Visit>
Board replay(const GameRecord& game, Visit&& visit) {
  Board board = parse_fen<R>(game.start_fen).value_or_throw("start FEN of a recorded game");
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const Move move = game.moves[ply];
    if (!is_legal<R>(board, move))
      throw UserError("recorded game", "illegal move at ply " + std::to_string(ply) +
                                           "; the data is damaged, see `farrier data check`");
    visit(static_cast<const Board&>(board), move, game.scores_cp_stm[ply], ply);
    make_move<R>(board, move);
  }
  return board;
}

/// Whether every ply after the random ones has a score, as in self-play, or some may lack it, as in imported games.
enum class ScoreRule { Every, MayLack };

/// Why the record contradicts the rules (an illegal move, a game that goes on after its end, a wrong
/// termination or result); empty if it does not.
template <VariantRules R>
std::optional<std::string> find_fault(const GameRecord& game, ScoreRule rule = ScoreRule::Every);

/// The game as start FEN and UCI moves, for messages; ends with the first illegal move.
template <VariantRules R>
std::string describe_game(const GameRecord& game);

}  // namespace farrier
