// Random openings that are fair enough to learn from: what makes games differ though the search repeats
// itself.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/chess/board.h"
#include "engine/search/searcher.h"

namespace farrier {

struct OpeningSettings {
  int random_plies = 8;
  bool one_more_on_a_coin = true;    // a ninth ply in half of the games, so that both sides come to move
  Score max_score_cp = 600;          // openings that a short search scores beyond are drawn anew
  std::uint64_t check_nodes = 1000;  // soft limit of that search
};

/// Openings drawn and thrown away, by reason.
struct OpeningRejects {
  std::uint64_t finished = 0;  // the game ended in the opening
  std::uint64_t lopsided = 0;

  OpeningRejects& operator+=(const OpeningRejects& other) {
    finished += other.finished;
    lopsided += other.lopsided;
    return *this;
  }
};

struct Opening {
  Board start;               // the variant's start position
  std::vector<Move> moves;   // the random moves from there
  OpeningRejects rejects{};  // on the way to this one
  Score score_cp_stm = 0;    // of the position that it leads to, by the short search
};

/// The opening of that seed. Clears `searcher` first, so that the result depends on settings, seed and net
/// alone.
template <VariantRules R>
Opening make_opening(Searcher<R>& searcher, const OpeningSettings& settings, std::uint64_t seed);

}  // namespace farrier
