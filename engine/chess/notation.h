// Moves as UCI text: `e2e4`, `e7e8q`, castling `e1g1`, drops `N@f3`.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

std::string to_uci(Move move);
std::string square_name(Square s);

/// The legal move of that text; the failure tells whether the text or the move is wrong. `n@f3` is understood
/// too.
template <VariantRules R>
Result<Move> parse_uci_move(const Board& board, std::string_view text);

}  // namespace farrier
