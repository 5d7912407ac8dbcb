// The file from which an interrupted fit goes on.
#pragma once

#include <filesystem>
#include <optional>

#include "selfplay/tune/tuner.h"

namespace farrier {

/// Writes values and number of pairs learnt from, with the settings that they hold for. Throws UserError.
void write_tune_state(const TuneSettings& settings, const TuneResult& now);

/// Where the run of these settings stands; nothing if there is no such file. Throws UserError for a damaged file and for one of
/// other settings.
std::optional<TuneResult> read_tune_state(const TuneSettings& settings);

}  // namespace farrier
