// One finished game as self-play leaves it and training reads it. SCHEMA.md tells how it lies in a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/chess/move.h"
#include "engine/chess/outcome.h"
#include "engine/chess/types.h"
#include "engine/search/score.h"

namespace farrier {

/// Stands for the score of a ply that no search chose, such as a random opening ply.
constexpr std::int16_t kNoScore = std::numeric_limits<std::int16_t>::min();

struct GameRecord {
  std::string start_fen;
  std::uint16_t random_plies = 0;  // the first plies, played at random or from a book
  int result_white = 0;            // +1 white won, 0 draw, -1 black won
  Termination termination = Termination::PlyLimit;
  std::uint64_t game_seed = 0;
  std::vector<Move> moves;
  /// One per move: centipawns or mate (engine/search/score.h) from the side to move, or kNoScore.
  std::vector<std::int16_t> scores_cp_stm;
  /// Plies at which a move other than the search's first choice was played, ascending. Their score is that of
  /// the move played: no judgement of the position, which is worth at least as much.
  std::vector<std::uint16_t> exploratory_plies;

  bool is_exploratory(std::size_t ply) const {
    return std::binary_search(exploratory_plies.begin(), exploratory_plies.end(), ply);
  }
  /// Positions worth learning from: those that a search judged.
  std::size_t positions() const { return moves.size() - random_plies; }
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

}  // namespace farrier
