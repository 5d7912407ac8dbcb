// Blocks of games through workers: read in order, worked on in parallel, taken in order.
#pragma once

#include <any>
#include <functional>
#include <span>
#include <vector>

#include "selfplay/data/game_record.h"
#include "selfplay/loading/data_mix.h"

namespace farrier {

/// What happens to each block.
struct BlockSteps {
  /// Whether the work can do without the block's games, which are then not read. May be null: it never can.
  std::function<bool(const DataBlock& block)> needs_no_games;
  /// Runs on any worker. The games are those of the block that belong to its share.
  std::function<std::any(const DataBlock& block, const std::vector<GameRecord>& games)> work;
  /// Runs one at a time, in the order of the blocks; false ends the pass.
  std::function<bool(const DataBlock& block, std::any& result)> take;
};

/// How a taker that has enough for now holds the pass, without a blocked worker: while `wanted`, no block is begun; those
/// on the way are still taken, then `wait` is called on the calling thread and returns when the pass may go on.
struct BlockPause {
  std::function<bool()> wanted;
  std::function<void()> wait;

  void wait_if_wanted() const {
    if (wanted && wanted()) wait();
  }
};

/// Reads ahead while workers work, but never more than a few blocks, so memory does not grow with the data. What
/// `take` sees does not depend on `workers` (0: as many as the calling arena has; 1: all on this thread). What is
/// thrown in a worker is thrown here.
void for_each_block(const DataMix& mix, std::span<const DataBlock> blocks, int workers,
                    const BlockSteps& steps, const BlockPause& pause = {});

}  // namespace farrier
