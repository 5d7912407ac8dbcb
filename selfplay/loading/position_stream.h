// One pass over a mix of data, position by position: replayed, filtered, packed, shuffled.
#pragma once

#include <cstdint>
#include <functional>

#include "selfplay/loading/block_pipeline.h"
#include "selfplay/loading/data_mix.h"
#include "selfplay/loading/game_split.h"
#include "selfplay/loading/kept_positions.h"
#include "selfplay/loading/packed_position.h"
#include "selfplay/loading/position_filters.h"

namespace farrier {

struct PassSettings {
  PositionFilters filters;
  GameSplit split;
  DataPart part = DataPart::All;
  /// Blocks in shuffled order and positions through a shuffle buffer, both decided by `seed` and `epoch`; without
  /// it, positions come in the order of the records.
  bool shuffled = true;
  std::uint64_t seed = 0;
  int epoch = 0;
  std::size_t shuffle_positions = std::size_t{1} << 17;  // some thousands of games, in 8 MB
  int workers = 1;                                       // see for_each_block; decides nothing but speed
  /// Positions under the same filters and split, which need not be made again; may be null.
  const KeptPositions* kept = nullptr;
};

/// False ends the pass.
using TakePosition = std::function<bool(const PackedPosition&)>;

/// How the taker of a pass follows it.
struct PassHooks {
  /// Lets the taker hold the pass; at the end of a shuffled one it may still get some thousands of positions.
  BlockPause pause;
  /// Called once nothing is left to be read: what still comes waits in the shuffle buffer.
  std::function<void()> all_read;
};

/// Calls `take` on one thread at a time. Moves must have been proved legal before (inspect_data, `data check`): they
/// are only kept from breaking the board. Equal settings and data give equal positions in equal order. Returns what
/// the filters did; throws UserError for a bad shard.
FilterCounts stream_positions(const DataMix& mix, const PassSettings& settings, const TakePosition& take,
                              const PassHooks& hooks = {});

/// A position that knows where it was recorded; too large for every day.
struct TracedPosition {
  PackedPosition position;
  std::uint32_t shard = 0;  // of DataMix::shards()
  std::uint32_t ply = 0;
  std::uint64_t game_seed = 0;
};
/// The same pass in the same order, with every position's origin: to find out what a batch was made of.
FilterCounts trace_positions(const DataMix& mix, const PassSettings& settings,
                             const std::function<bool(const TracedPosition&)>& take);

}  // namespace farrier
