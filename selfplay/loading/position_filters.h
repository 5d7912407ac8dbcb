// Which recorded positions are learnt from. Records keep all of them; what is left out is decided at loading.
#pragma once

#include <cstdint>
#include <string>

#include "engine/chess/board.h"
#include "engine/variants/variant_rules.h"
#include "selfplay/data/game_record.h"

namespace farrier {

/// [train.filters] of an experiment.
struct PositionFilters {
  bool in_check = true;         // true: leave out positions in check
  bool noisy = true;            // true: leave out positions whose played move captures or promotes
  bool checking_drops = false;  // true: leave out positions whose played move is a drop that gives check
  bool exploratory = true;  // true: leave out positions whose played move was not the search's first choice
  int max_score_cp = 3000;  // leave out scores beyond, mates included
  int first_plies = 0;      // leave out that many plies after the opening

  friend bool operator==(const PositionFilters&, const PositionFilters&) = default;
};

/// What the filters took, each position counted under the first one that took it.
struct FilterCounts {
  std::int64_t plies = 0;
  std::int64_t no_score = 0;  // opening plies
  std::int64_t first_plies = 0;
  std::int64_t exploratory = 0;
  std::int64_t in_check = 0;
  std::int64_t noisy = 0;
  std::int64_t checking_drops = 0;
  std::int64_t max_score = 0;
  std::int64_t kept = 0;

  FilterCounts& operator+=(const FilterCounts& other);
  /// "12345 plies: 800 without a score, 1200 in check, ...".
  std::string to_text() const;
  friend bool operator==(const FilterCounts&, const FilterCounts&) = default;
};

/// Whether the position before `ply` of the game is learnt from; counts it either way.
template <VariantRules R>
bool keeps(const PositionFilters& filters, const GameRecord& game, const Board& board, std::size_t ply,
           FilterCounts& counts);

}  // namespace farrier
