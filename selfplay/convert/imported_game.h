// Games that other programs played, made into records.
#pragma once

#include <optional>
#include <string>

#include "engine/variants/variant_rules.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// Sets result and termination of a game whose start, moves and scores stand: by the rules where they end it, else as
/// adjudicated with the result told. Gives it a seed from its content, so that equal games are equal everywhere.
/// Returns why it can't be a record (an illegal move, moves after its end, another result than the rules'), or nothing.
template <VariantRules R>
std::optional<std::string> settle_imported(GameRecord& game, std::optional<int> result_white,
                                           bool at_ply_limit);

}  // namespace farrier
