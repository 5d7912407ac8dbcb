// Perft: the number of move paths of a length, the standard proof of a move generator.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Paths of exactly `depth` moves; draws by rule don't end them. perft(board, 0) is 1.
template <VariantRules R>
std::uint64_t perft(const Board& board, int depth);

/// The same, split by first move; depth >= 1.
template <VariantRules R>
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Board& board, int depth);

}  // namespace farrier
