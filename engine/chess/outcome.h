// How a game ends by the rules, and the game that knows its past.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Why a game ended. Stored in game records and match journals: never renumber. The first five follow from the
/// rules; those from TimeForfeit on are a player's fault, cost him the game, and occur in matches alone.
enum class Termination : std::uint8_t {
  Checkmate = 0,
  Stalemate = 1,
  Repetition = 2,
  FiftyMoves = 3,
  DeadPosition = 4,
  AdjudicatedWin = 5,
  AdjudicatedDraw = 6,
  PlyLimit = 7,  // counted as a draw
  TimeForfeit = 8,
  IllegalMove = 9,
  Stall = 10,          // no answer long after its time
  Crash = 11,          // the player's process ended
  ProtocolError = 12,  // an answer that is no move
};
constexpr int kTerminationCount = 13;
constexpr bool is_fault(Termination t) { return t >= Termination::TimeForfeit; }
std::string_view termination_name(Termination t);

struct Outcome {
  Termination termination;
  int result_white;  // +1 white won, 0 draw, -1 black won
};

/// A position and all positions before it in the game.
template <VariantRules R>
class Game {
 public:
  Game();  // from the start position
  explicit Game(const Board& start);

  const Board& board() const { return board_; }
  /// Keys of every position from the start to the present one, in order.
  const std::vector<std::uint64_t>& keys() const { return keys_; }
  int plies() const { return static_cast<int>(keys_.size()) - 1; }

  /// Makes a legal move.
  void play(Move move);
  /// How often the present position has stood on the board, now included.
  int repetitions() const;
  /// The end of the game, if it is reached. Mate goes before the fifty-move rule.
  std::optional<Outcome> outcome() const;

 private:
  Board board_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace farrier
