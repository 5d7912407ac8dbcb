// How much a move's search may cost, and when another move than the best is played.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/rng.h"
#include "engine/search/searcher.h"

namespace farrier {

/// The limits of a move's search.
struct NodeSchedule {
  std::uint64_t soft_nodes = 500;     // no further iteration starts beyond; 0: no limit, depth alone
  std::uint64_t late_soft_nodes = 0;  // from late_ply on; in between it changes evenly; 0: as soft_nodes
  int late_ply = 80;
  double spread = 0;  // each move draws its limit from [1 - spread, 1 + spread] times that
  int depth = 0;      // 0: no limit

  /// The soft limit at that ply of the game; draws from `rng` only with a spread.
  std::uint64_t soft_limit(int ply, Rng& rng) const;
  SearchLimits limits(int ply, Rng& rng) const;
};

/// Now and then a move is drawn by lot from the search's best ones, so that games visit what best play would not.
struct ExplorationSettings {
  double share = 0;              // of plies
  int lines = 4;                 // best moves that are looked at, with so many times the nodes
  double temperature_cp = 40;    // a move that is so much worse is drawn e times less often
  int max_loss_cp = 150;         // worse ones never
  int last_ply = kMaxGamePlies;  // no exploration from there on
};

/// Draws one of the lines, the best first; the index.
std::size_t draw_line(const std::vector<SearchReport>& lines, const ExplorationSettings& settings, Rng& rng);

}  // namespace farrier
