// A match's games as PGN, made from its journal.
#pragma once

#include <string>
#include <vector>

#include "engine/chess/pgn.h"
#include "selfplay/match/match_settings.h"

namespace farrier {

/// Game `round` (0 or 1) of a pair, with the score, depth and time of each move. Throws UserError for a pair that
/// is not of these rules.
PgnGame pgn_of(const MatchSettings& settings, const MatchPair& pair, int round);

/// The games of all pairs in the order of their index.
std::string match_pgn_text(const MatchSettings& settings, std::vector<MatchPair> pairs);

}  // namespace farrier
