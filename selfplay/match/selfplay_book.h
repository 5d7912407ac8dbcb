// A book of openings for self-play.
#pragma once

#include <filesystem>

#include "selfplay/games/selfplay_settings.h"

namespace farrier {

/// Reads the book for `settings.variant` into the settings. Throws UserError; see OpeningBook.
void read_selfplay_book(const std::filesystem::path& file, int plies, SelfplaySettings& settings);

}  // namespace farrier
