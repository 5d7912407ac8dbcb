// A match before it is played: how many pairs its question needs, what it can tell, and how long that takes here.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "selfplay/match/match_settings.h"

namespace farrier {

/// The first pairs of the match, played for some seconds to see how they spread and what they cost.
struct MatchSample {
  MatchResult result;
  double seconds = 0;
  double pairs_a_second = 0;  // of all workers together; 0 if no pair ended
};

/// Plays the match without journal and test until `settings.stop` is set or some seconds are over, or, where a
/// pair lasts longer, until one has ended or minutes are over. Throws UserError as run_match does.
MatchSample play_sample(const MatchSettings& settings);

/// The error to expect of a match of even players, 95%. No Elo if the interval leaves the scale.
struct ExpectedError {
  std::optional<double> elo;
  double nelo = 0;
};
ExpectedError expected_error(std::int64_t pairs, double deviation);

/// The plan in a few lines.
std::string plan_text(const MatchSettings& settings, const MatchSample& sample);
nlohmann::json plan_json(const MatchSettings& settings, const MatchSample& sample);

}  // namespace farrier
