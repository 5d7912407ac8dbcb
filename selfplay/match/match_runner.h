// Runs a match: pairs in parallel, counted in order, kept in a journal, ended by a sequential test or a
// number of games. The gate of `farrier run` and the verb `match` both call it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "selfplay/match/match_settings.h"
#include "selfplay/match/tally.h"

namespace farrier {

/// Plays the match, or the rest of it if the journal holds a part, and blocks until it ends or
/// `settings.stop` is set (the result is then `Interrupted`, with what was counted). Throws UserError for
/// settings that make no match and for a foreign, damaged or unwritable journal.
MatchResult run_match(const MatchSettings& settings);

/// Plays pair `index`. Gives nothing if the given function says that the match has been halted, or to halt it.
using PairPlayer =
    std::function<std::optional<MatchPair>(std::int64_t index, const std::function<bool()>& halted)>;

/// The part of `run_match` that doesn't know who plays: `make_player` is called once per worker, on its
/// thread.
MatchResult schedule_match(const MatchSettings& settings, const std::function<PairPlayer()>& make_player);

}  // namespace farrier
