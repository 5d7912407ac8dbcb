// Perft: the number of move paths of a length, the standard proof of a move generator.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/chess/board.h"
#include "engine/chess/move.h"
#include "engine/variants/variant_rules.h"

namespace farrier {

/// Paths of exactly `depth` moves; draws by rule don't end them. perft(board, 0) is 1.
template <VariantRules R>
std::uint64_t perft(const Board& board, int depth);

/// The same; ends early with nothing once `stopped` says so.
template <VariantRules R>
std::optional<std::uint64_t> perft_until(const Board& board, int depth, const std::function<bool()>& stopped);

/// As perft, split by first move; depth >= 1.
template <VariantRules R>
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Board& board, int depth);

}  // namespace farrier
