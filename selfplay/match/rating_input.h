// Who met whom in a set of match journals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/variants/variant.h"
#include "selfplay/match/ratings.h"

namespace farrier {

/// A player as journals know him: by what he plays by, limits included; not by his name.
struct RatedPlayer {
  std::string name;      // as a match called him, with his limits where two are called the same
  std::string identity;  // JSON of the journal's frozen settings
  bool is_material = false;
};

/// All that journals tell about one variant.
struct RatingPool {
  Variant variant = Variant::Chess;
  std::vector<RatedPlayer> players;    // in the order of their first match
  std::vector<RatedPairing> pairings;  // one for every two who met
  std::int64_t matches = 0;
};

struct RatingInput {
  std::vector<RatingPool> pools;   // in the order of `kAllVariants`
  std::vector<std::string> notes;  // on what was left out, a sentence each
};

/// Reads journals, and from a folder those that a run keeps (gen-*/gate.jsonl, final-*.jsonl) or else every journal
/// in it. Only pairs that their match counts are taken; a match that stands in two files is taken once. Throws
/// UserError for a file that is no journal of this version, for a damaged one and for a folder without any.
RatingInput read_rating_input(const std::vector<std::filesystem::path>& paths);

}  // namespace farrier
