// Games that were read before, so that later passes need not read and unpack them from their shards again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "selfplay/data/game_record.h"

namespace farrier {

struct DataBlock;

/// Keeps the first blocks that it is offered, up to a bound of memory, and those for good: every pass asks for all blocks
/// once, so that to make room for the newest would leave none of a larger set to find. May be used by several threads.
class GameCache {
 public:
  using Games = std::shared_ptr<const std::vector<GameRecord>>;

  explicit GameCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The block's games; null if they are not kept.
  Games find(const DataBlock& block) const;
  void offer(const DataBlock& block, const Games& games);
  std::size_t bytes() const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint64_t, double>;  // shard, first game, share
  static Key key_of(const DataBlock& block);

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::map<Key, Games> blocks_;
};

}  // namespace farrier
