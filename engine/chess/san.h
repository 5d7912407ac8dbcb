// Moves as standard algebraic notation (SAN): `Nbd7`, `exd8=Q+`, `O-O`, drops `N@f3` and `@e4`.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// The shortest text that tells the legal move apart, with `+` or `#`. A pawn drop is written `@e4`.
template <VariantRules R>
std::string to_san(const Board& board, Move move);

/// The legal move of that text, as people and other programs write it; the failure tells whether the text is no
/// move, the move is not legal, or several moves fit.
template <VariantRules R>
Result<Move> parse_san(const Board& board, std::string_view text);

}  // namespace farrier
