// A match in words for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "selfplay/match/match_settings.h"

namespace farrier {

/// "212/400 games: +80 =20 -112 (42.5%), Elo ... +- ..., LLR ... [-2.94 --<==|------ 2.94], 35 games/min, at most
/// 5 min left"
std::string progress_text(const MatchProgress& progress, const std::optional<SprtSettings>& sprt);

/// The finished or interrupted match in a few lines, the last one its verdict.
std::string report_text(const MatchSettings& settings, const MatchResult& result);
/// The verdict alone, one line: "H1 accepted: A is stronger (...)".
std::string verdict_text(const MatchSettings& settings, const MatchResult& result);

/// Settings and result; a figure that doesn't exist is null.
nlohmann::json report_json(const MatchSettings& settings, const MatchResult& result);

}  // namespace farrier
