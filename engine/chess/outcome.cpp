#include "engine/chess/outcome.h"

#include <algorithm>

#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/variants/dispatch.h"

namespace farrier {

std::string_view termination_name(Termination t) {
  switch (t) {
    case Termination::Checkmate:
      return "checkmate";
    case Termination::Stalemate:
      return "stalemate";
    case Termination::Repetition:
      return "repetition";
    case Termination::FiftyMoves:
      return "fifty moves";
    case Termination::DeadPosition:
      return "dead position";
    case Termination::AdjudicatedWin:
      return "adjudicated win";
    case Termination::AdjudicatedDraw:
      return "adjudicated draw";
    case Termination::PlyLimit:
      return "ply limit";
    case Termination::TimeForfeit:
      return "time forfeit";
    case Termination::IllegalMove:
      return "illegal move";
    case Termination::Stall:
      return "stall";
    case Termination::Crash:
      return "crash";
    case Termination::ProtocolError:
      return "protocol error";
  }
  return "unknown";
}

template <VariantRules R>
Game<R>::Game() : Game(start_board<R>()) {}

template <VariantRules R>
Game<R>::Game(const Board& start) : board_(start), keys_{start.key} {}

template <VariantRules R>
void Game<R>::play(Move move) {
  make_move<R>(board_, move);
  keys_.push_back(board_.key);
}

template <VariantRules R>
int Game<R>::repetitions() const {
  return static_cast<int>(std::count(keys_.begin(), keys_.end(), board_.key));
}

template <VariantRules R>
std::optional<Outcome> Game<R>::outcome() const {
  if (!has_legal_move<R>(board_)) {
    if (!is_check<R>(board_)) return Outcome{Termination::Stalemate, 0};
    return Outcome{Termination::Checkmate, board_.side_to_move == Color::White ? -1 : 1};
  }
  if (R::is_dead_position(board_)) return Outcome{Termination::DeadPosition, 0};
  if (board_.halfmove_clock >= 100) return Outcome{Termination::FiftyMoves, 0};
  if (repetitions() >= 3) return Outcome{Termination::Repetition, 0};
  return std::nullopt;
}

#define INSTANTIATE(R) template class Game<R>;
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
