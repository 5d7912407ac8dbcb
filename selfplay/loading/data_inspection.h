// The first look at data that is to be learnt from: every move proved, every position counted.
#pragma once

#include <cstdint>
#include <functional>

#include "selfplay/loading/data_mix.h"
#include "selfplay/loading/game_split.h"
#include "selfplay/loading/kept_positions.h"
#include "selfplay/loading/position_filters.h"

namespace farrier {

struct DataInspection {
  std::int64_t games = 0;  // as often as they are used
  std::int64_t training_positions = 0;
  std::int64_t validation_positions = 0;
  FilterCounts filtered;
  /// Changes with any game, its place, its weight, or the filters: says whether a training goes on with the same
  /// data.
  std::uint64_t fingerprint = 0;
  std::uint64_t games_fingerprint = 0;  // the same whatever the filters
};

/// Replays each game under the rules, in parallel; `see` gets the labels of the kept training positions, one at a
/// time and in the order of the records. Their positions are offered to `kept`, whose filters and split count. Throws
/// UserError that names shard and game of an illegal move.
DataInspection inspect_data(const DataMix& mix, KeptPositions& kept, int workers,
                            const std::function<void(int score_cp_stm, int result_stm)>& see);

}  // namespace farrier
