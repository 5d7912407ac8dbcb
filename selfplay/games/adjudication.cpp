#include "selfplay/games/adjudication.h"

#include <cstdlib>

#include "engine/base/rng.h"

namespace farrier {

bool is_played_out(const AdjudicationSettings& settings, std::uint64_t game_seed) {
  constexpr std::uint64_t kPlayedOutStream = 2;
  return Rng(derive_seed(game_seed, kPlayedOutStream, 0)).uniform() < settings.played_out_share;
}

std::optional<Outcome> Adjudicator::observe(Color mover, Score score_cp_stm, int ply) {
  const Score score_cp_white = mover == Color::White ? score_cp_stm : -score_cp_stm;
  white_wins_in_a_row_ = score_cp_white >= settings_.win_score_cp ? white_wins_in_a_row_ + 1 : 0;
  black_wins_in_a_row_ = score_cp_white <= -settings_.win_score_cp ? black_wins_in_a_row_ + 1 : 0;
  const bool level = ply >= settings_.draw_from_ply && std::abs(score_cp_white) <= settings_.draw_score_cp;
  draws_in_a_row_ = level ? draws_in_a_row_ + 1 : 0;

  if (settings_.win_plies > 0) {
    if (white_wins_in_a_row_ >= settings_.win_plies) return Outcome{Termination::AdjudicatedWin, +1};
    if (black_wins_in_a_row_ >= settings_.win_plies) return Outcome{Termination::AdjudicatedWin, -1};
  }
  if (settings_.draw_plies > 0 && draws_in_a_row_ >= settings_.draw_plies)
    return Outcome{Termination::AdjudicatedDraw, 0};
  return std::nullopt;
}

}  // namespace farrier
