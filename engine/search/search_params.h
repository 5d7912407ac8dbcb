// Every constant of the search that a match could prefer otherwise, in one place. Scores are centipawns, depths plies.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/search/score.h"

namespace farrier {

/// What decides how the tree is cut. `farrier tune` fits these to games; `farrier match` takes others for a player.
struct SearchParams {
  // Aspiration: the first window about the last iteration's score.
  int aspiration_window = 24;

  // Reverse futility: a static evaluation this far above beta, per ply of depth, is taken for a cutoff.
  int reverse_futility_depth = 7;
  int reverse_futility_margin = 100;

  // Razoring: an evaluation this far below alpha, per ply of depth, is left to quiescence.
  int razoring_depth = 3;
  int razoring_base = 250;
  int razoring_margin = 300;

  // Null move: depth is reduced by base + depth / divisor + (evaluation - beta) / margin, the last at most 3.
  int null_move_base = 3;
  int null_move_divisor = 4;
  int null_move_margin = 220;

  // Futility: quiet moves are skipped if the static evaluation is this far below alpha.
  int futility_depth = 6;
  int futility_base = 150;
  int futility_margin = 110;

  // Late-move pruning: quiet moves beyond base + factor * depth^2 (hundredths) are skipped, fewer while the
  // evaluation falls.
  int late_move_depth = 7;
  int late_move_base = 450;
  int late_move_factor = 190;
  int late_move_worsening = 45;  // percent of that number then

  // History pruning: quiet moves whose history is below -margin * depth are skipped.
  int history_pruning_depth = 4;
  int history_pruning_margin = 3000;

  // Static exchange: moves that lose more than this, per ply of depth, are skipped.
  int exchange_depth = 7;
  int exchange_quiet_margin = 75;
  int exchange_noisy_margin = 110;

  // Late-move reductions in 1024ths of a ply: base + ln(depth) * ln(move number) * factor, and what is added or
  // taken off.
  int reduction_base = 680;
  int reduction_factor = 530;
  int reduction_pv = 1300;
  int reduction_cut_node = 1150;
  int reduction_worsening = 350;
  int reduction_noisy_table_move = 320;
  int reduction_killer = 800;
  int reduction_check = 1200;
  int reduction_drop = 200;
  int reduction_history = 100;  // for a history of 1024

  // Quiescence: captures that can't lift the evaluation to within this of alpha are skipped.
  int delta_margin = 120;
  // Quiet answers to a check that quiescence looks at, once it has one that does not lose at once.
  int quiescence_evasions = 3;
  // Plies of quiescence that look at checks, by move or drop.
  int quiescence_checks = 1;

  // History: the bonus for a cutoff is min(max, slope * depth).
  int history_max_bonus = 1400;
  int history_slope = 250;
  int continuation_two = 175;  // percent by which the own move before counts
  int capture_history = 175;   // percent of a pawn by which a capture's full history shifts its order
  int check_order = 5750;      // history added to quiet moves that give check
};

/// A parameter by name, with the bounds that make sense.
struct Tunable {
  std::string_view name;
  int SearchParams::*value;
  int low;
  int high;
};

/// Every member of SearchParams.
inline constexpr std::array kTunables = {
    Tunable{"aspiration_window", &SearchParams::aspiration_window, 10, 80},
    Tunable{"reverse_futility_depth", &SearchParams::reverse_futility_depth, 2, 12},
    Tunable{"reverse_futility_margin", &SearchParams::reverse_futility_margin, 30, 160},
    Tunable{"razoring_depth", &SearchParams::razoring_depth, 0, 6},
    Tunable{"razoring_base", &SearchParams::razoring_base, 0, 500},
    Tunable{"razoring_margin", &SearchParams::razoring_margin, 50, 500},
    Tunable{"null_move_base", &SearchParams::null_move_base, 2, 5},
    Tunable{"null_move_divisor", &SearchParams::null_move_divisor, 2, 8},
    Tunable{"null_move_margin", &SearchParams::null_move_margin, 50, 1000},
    Tunable{"futility_depth", &SearchParams::futility_depth, 2, 12},
    Tunable{"futility_base", &SearchParams::futility_base, 0, 300},
    Tunable{"futility_margin", &SearchParams::futility_margin, 30, 200},
    Tunable{"late_move_depth", &SearchParams::late_move_depth, 2, 12},
    Tunable{"late_move_base", &SearchParams::late_move_base, 100, 1000},
    Tunable{"late_move_factor", &SearchParams::late_move_factor, 50, 500},
    Tunable{"late_move_worsening", &SearchParams::late_move_worsening, 30, 100},
    Tunable{"history_pruning_depth", &SearchParams::history_pruning_depth, 0, 8},
    Tunable{"history_pruning_margin", &SearchParams::history_pruning_margin, 1000, 10000},
    Tunable{"exchange_depth", &SearchParams::exchange_depth, 2, 12},
    Tunable{"exchange_quiet_margin", &SearchParams::exchange_quiet_margin, 10, 150},
    Tunable{"exchange_noisy_margin", &SearchParams::exchange_noisy_margin, 30, 250},
    Tunable{"reduction_base", &SearchParams::reduction_base, 0, 1500},
    Tunable{"reduction_factor", &SearchParams::reduction_factor, 200, 900},
    Tunable{"reduction_pv", &SearchParams::reduction_pv, 0, 2048},
    Tunable{"reduction_cut_node", &SearchParams::reduction_cut_node, 0, 2048},
    Tunable{"reduction_worsening", &SearchParams::reduction_worsening, 0, 2048},
    Tunable{"reduction_noisy_table_move", &SearchParams::reduction_noisy_table_move, 0, 2048},
    Tunable{"reduction_killer", &SearchParams::reduction_killer, 0, 2048},
    Tunable{"reduction_check", &SearchParams::reduction_check, 0, 4096},
    Tunable{"reduction_drop", &SearchParams::reduction_drop, 0, 2048},
    Tunable{"reduction_history", &SearchParams::reduction_history, 20, 400},
    Tunable{"delta_margin", &SearchParams::delta_margin, 30, 400},
    Tunable{"quiescence_evasions", &SearchParams::quiescence_evasions, 1, 10},
    Tunable{"quiescence_checks", &SearchParams::quiescence_checks, 0, 4},
    Tunable{"history_max_bonus", &SearchParams::history_max_bonus, 400, 4000},
    Tunable{"history_slope", &SearchParams::history_slope, 40, 400},
    Tunable{"continuation_two", &SearchParams::continuation_two, 0, 200},
    Tunable{"capture_history", &SearchParams::capture_history, 0, 400},
    Tunable{"check_order", &SearchParams::check_order, 0, 60000},
};

/// What no game is played about.
namespace params {
constexpr int kAspirationMinDepth = 4;
constexpr int kNullMoveMinDepth = 3;
constexpr int kReductionMinDepth = 3;
constexpr int kHistoryMax = 16384;
// Time: the clock is shared out over so many moves; an iteration starts within this part of the share and may take so
// many shares, but never more than this part of the clock.
constexpr int kMovesAhead = 16;
constexpr std::int64_t kReserveOverheads = 10;  // kept back, in times of what is lost on a move
constexpr int kSoftTimePercent = 80;
constexpr int kHardTimeShares = 4;
constexpr int kHardTimeOfClockPercent = 35;
// An only move is searched so deep, for its score and a reply to ponder on.
constexpr int kOnlyMoveDepth = 5;
}  // namespace params

}  // namespace farrier
