// Every tunable constant of the search, in one place. Scores are centipawns, depths are plies.
#pragma once

#include <cstdint>

#include "engine/search/score.h"

namespace farrier::params {

// Aspiration: the first window about the last iteration's score, from this depth on.
constexpr int kAspirationMinDepth = 4;
constexpr Score kAspirationWindow = 25;

// Reverse futility: a static evaluation this far above beta, per ply of depth, is taken for a cutoff.
constexpr int kReverseFutilityMaxDepth = 6;
constexpr Score kReverseFutilityMargin = 90;

// Null move: depth is reduced by base + depth / divisor.
constexpr int kNullMoveMinDepth = 3;
constexpr int kNullMoveBase = 3;
constexpr int kNullMoveDivisor = 4;

// Futility: quiet moves are skipped if the static evaluation is this far below alpha.
constexpr int kFutilityMaxDepth = 6;
constexpr Score kFutilityBase = 120;
constexpr Score kFutilityMargin = 100;

// Late-move pruning: quiet moves beyond base + factor * depth^2 are skipped.
constexpr int kLateMoveMaxDepth = 6;
constexpr int kLateMoveBase = 4;
constexpr int kLateMoveFactor = 2;

// Static exchange: moves that lose more than this, per ply of depth, are skipped.
constexpr int kExchangeMaxDepth = 6;
constexpr Score kExchangeQuietMargin = 60;
constexpr Score kExchangeNoisyMargin = 100;

// Late-move reductions: base + ln(depth) * ln(move number) / divisor, less history / divisor.
constexpr int kReductionMinDepth = 3;
constexpr double kReductionBase = 0.6;
constexpr double kReductionDivisor = 2.2;
constexpr int kReductionHistoryDivisor = 8192;

// Quiescence: captures that can't lift the evaluation to within this of alpha are skipped.
constexpr Score kDeltaMargin = 150;
// Quiet answers to a check that quiescence looks at, once it has one that does not lose at once.
constexpr int kQuiescenceQuietEvasions = 3;

// History: bonus for a quiet cutoff is min(max, slope * depth).
constexpr int kHistoryMax = 16384;
constexpr int kHistoryBonusMax = 1600;
constexpr int kHistoryBonusSlope = 150;

// Time: the clock is shared out over so many moves; an iteration starts within this part of the share and may
// take so many shares, but never more than this part of the clock.
constexpr int kMovesAhead = 30;
constexpr std::int64_t kReserveOverheads = 10;  // kept back, in times of what is lost on a move
constexpr int kSoftTimePercent = 60;
constexpr int kHardTimeShares = 4;
constexpr int kHardTimeOfClockPercent = 35;
// An only move is searched so deep, for its score and a reply to ponder on.
constexpr int kOnlyMoveDepth = 5;

}  // namespace farrier::params
