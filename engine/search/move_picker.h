// Hands out a node's moves one by one, the likeliest cutoffs first, generating no more than is asked for.
#pragma once

#include <array>

#include "engine/chess/movegen.h"
#include "engine/search/history.h"
#include "engine/search/move_order.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

using Killers = std::array<Move, 2>;

/// Order: table move, winning or equal noisy moves, killers, quiet moves by history, losing noisy moves.
template <VariantRules R>
class MovePicker {
 public:
  /// All legal moves. `previous` is the man_target of the move before, for the continuation history.
  MovePicker(const Board& board, Move table_move, const Killers& killers, const QuietHistory& history,
             int previous);

  /// The next move; none at the end.
  Move next();
  /// Ends the quiet moves: what follows are losing noisy moves.
  void skip_quiets() { skip_quiets_ = true; }

 private:
  enum class Stage {
    TableMove,
    MakeNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    MakeQuiets,
    Quiets,
    BadNoisy
  };

  Move next_good_noisy();
  bool is_playable_killer(Move m) const;

  const Board& board_;
  const Move table_move_;
  const Killers killers_;
  const QuietHistory& history_;
  const int previous_;
  Stage stage_ = Stage::TableMove;
  bool skip_quiets_ = false;
  MoveOrder order_;
  StaticVector<Move, 128> bad_noisy_;
  std::size_t bad_at_ = 0;
};

/// Orders noisy moves by the victim's worth, then the captor's.
template <VariantRules R>
int noisy_score(const Board& board, Move m);

}  // namespace farrier
