// One recorded game, or one of its positions, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "selfplay/records/shard_catalogue.h"

namespace farrier {

/// Game `number` of the set, counted from 0 through all shards: moves in SAN with their scores, and the board after
/// `ply` plies (the end if not told) with hands and FEN. Throws UserError for a number that is none.
std::string show_game(const ShardCatalogue& catalogue, std::uint64_t number,
                      std::optional<std::uint64_t> ply);

}  // namespace farrier
