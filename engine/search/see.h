// Static exchange evaluation: what a move wins or loses once all captures on its target square are played
// out.
#pragma once

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/search/score.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Centipawns that capturing `piece` changes the balance by: its loss, and in crazyhouse its gain in hand.
template <VariantRules R>
Score capture_value(Piece piece);

/// Whether the exchange that `move` opens gains at least `threshold` centipawns for the mover. Pins and new
/// drops are not looked at.
template <VariantRules R>
bool see_at_least(const Board& board, Move move, Score threshold);

}  // namespace farrier
