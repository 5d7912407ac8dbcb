// A position with its labels: what a line of text, of EPD, or a row of a positions file holds.
#pragma once

#include <optional>

#include "engine/chess/board.h"
#include "engine/chess/move.h"

namespace farrier {

struct PositionRow {
  Board board;
  std::optional<Move> move;  // that was played there
  std::optional<int> score_cp_stm;
  std::optional<int> result_white;
};

}  // namespace farrier
