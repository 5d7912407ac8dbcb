// When a game is called before the rules end it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/chess/outcome.h"
#include "engine/search/score.h"

namespace farrier {

struct AdjudicationSettings {
  Score win_score_cp = 1000;      // a win once the scores of both sides agree on this much ...
  int win_plies = 6;              // ... for so many plies in a row; 0: never
  double played_out_share = 0.1;  // of games goes on to its end by the rules, to keep the labels honest
  int draw_plies = 0;             // a draw after so many plies in a row ...
  Score draw_score_cp = 10;       // ... within this score ...
  int draw_from_ply = 80;         // ... but not before this ply; draw_plies 0: never
};

/// Whether the game of that seed belongs to the share that is played out.
bool is_played_out(const AdjudicationSettings& settings, std::uint64_t game_seed);

/// Follows one game's scores.
class Adjudicator {
 public:
  explicit Adjudicator(const AdjudicationSettings& settings) : settings_(settings) {}

  /// Takes the score with which `mover` chose its move, the game's ply number `ply` (from 0), and calls the
  /// game if it is decided.
  std::optional<Outcome> observe(Color mover, Score score_cp_stm, int ply);

 private:
  AdjudicationSettings settings_;
  int white_wins_in_a_row_ = 0;
  int black_wins_in_a_row_ = 0;
  int draws_in_a_row_ = 0;
};

}  // namespace farrier
