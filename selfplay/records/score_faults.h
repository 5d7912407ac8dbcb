// Scores that no search of the position can have given.
#pragma once

#include <optional>
#include <string>

#include "engine/variants/variant_rules.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// Why a score can't be: a mate in one where no move mates, or, where `chose_moves` says that the scores are those of
/// the searches that chose the moves, a mate that the next plies contradict. Nothing if all can be. The game is legal.
template <VariantRules R>
std::optional<std::string> find_score_fault(const GameRecord& game, bool chose_moves);

}  // namespace farrier
