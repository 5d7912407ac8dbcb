// Ratings in words for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "selfplay/match/rating_input.h"

namespace farrier {

/// The player whose rating is given.
struct RatingAnchor {
  std::string name;
  double elo = 0;
};

/// A rated variant.
struct RatingTable {
  RatingPool pool;
  RatingFit fit;
  double anchor_elo = 0;
};

/// Rates a pool. Without an anchor of that name "material" is 0, or else the first player. A name that two players
/// bear means the one who bears it alone or without his limits.
RatingTable rate_pool(const RatingPool& pool, const std::optional<RatingAnchor>& anchor);
bool has_player(const RatingPool& pool, const std::string& name);

/// A table of each group, best first, and sentences on what it can't tell.
std::string rating_text(const RatingTable& table);
nlohmann::json rating_json(const RatingTable& table);

}  // namespace farrier
