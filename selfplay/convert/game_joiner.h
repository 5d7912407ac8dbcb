// Games out of positions that follow each other.
#pragma once

#include <functional>
#include <string>

#include "engine/chess/fen.h"
#include "engine/variants/variant_rules.h"
#include "selfplay/convert/position_row.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// Joins rows, in order, to games: the next row belongs to the game if the row's move leads to it (or, where no move is
/// told, one legal move does) and the result is the same. A last position without a move ends its game and loses its
/// score, since a record holds scores beside moves; a position alone, without a move, is no game.
template <VariantRules R>
class GameJoiner {
 public:
  /// `game` takes a settled game, `refuse` the reason why rows became none.
  GameJoiner(std::function<void(GameRecord)> game, std::function<void(const std::string&)> refuse)
      : game_(std::move(game)), refuse_(std::move(refuse)) {}

  void add(const PositionRow& row);
  /// Ends the last game.
  void finish();

 private:
  bool continues(const PositionRow& row);

  std::function<void(GameRecord)> game_;
  std::function<void(const std::string&)> refuse_;
  GameRecord record_;
  std::optional<PositionRow> last_;  // not in the record yet: its move may show with the next row
};

}  // namespace farrier
