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
  /// All legal moves; what is referred to must outlive the picker.
  MovePicker(const SearchParams& params, const Board& board, Move table_move, const Killers& killers,
             const Histories& histories, const PreviousMoves& previous, const CheckSquares& checks);

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
  void make_quiets();
  bool is_playable_killer(Move m) const;

  const SearchParams& params_;
  const Board& board_;
  const Move table_move_;
  const Killers killers_;
  const Histories& histories_;
  const PreviousMoves previous_;
  const CheckSquares& checks_;
  Stage stage_ = Stage::TableMove;
  bool skip_quiets_ = false;
  MoveOrder order_;
  StaticVector<Move, 128> bad_noisy_;
  std::size_t bad_at_ = 0;
};

/// Centipawns that a capture or promotion wins at once.
template <VariantRules R>
Score noisy_gain(const Board& board, Move m);

/// Orders noisy moves by what they win, then the captor's worth, and by how such captures have done.
template <VariantRules R>
int noisy_score(const SearchParams& params, const Board& board, const CaptureHistory& history, Move m);

}  // namespace farrier
