// Positions as they are learnt from, kept by the first look at data, so that the passes that follow need not read, replay
// and filter the games again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "selfplay/loading/data_block.h"
#include "selfplay/loading/game_split.h"
#include "selfplay/loading/packed_position.h"
#include "selfplay/loading/position_filters.h"

namespace farrier {

/// What the filters left of some games of one part.
template <class Item>
struct FilteredPositions {
  std::vector<Item> positions;
  FilterCounts counts;
};
using FilteredPointer = std::shared_ptr<const FilteredPositions<PackedPosition>>;

struct PackedBlock {
  FilteredPositions<PackedPosition> training, validation;
};

/// The first blocks that are offered stay in memory, up to a bound, and those beyond go to a file without a name, which is
/// gone with the process: blocks are asked for in an order of chance, each once in a pass, so that to exchange the
/// older for newer ones would help nobody. All are offered before the first is loaded. May be used by several threads.
class KeptPositions {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{512} << 20;  // 8 million positions

  /// All blocks have to come under these filters and this split. The file is made in `folder`, none if that is empty, and
  /// grows as long as it takes less than what it leaves free there: two at once leave a third.
  KeptPositions(const PositionFilters& filters, const GameSplit& split, std::size_t most_bytes = kMostBytes,
                const std::filesystem::path& folder = {});
  ~KeptPositions();
  KeptPositions(const KeptPositions&) = delete;
  KeptPositions& operator=(const KeptPositions&) = delete;

  const PositionFilters& filters() const { return filters_; }
  const GameSplit& split() const { return split_; }

  /// Keeps the block if there is room. A disk that is full is no error: the file then gives its room back.
  void offer(const DataBlock& block, const std::shared_ptr<const PackedBlock>& packed);
  bool has(const DataBlock& block) const;
  /// A part, not DataPart::All, of a block that it has. Throws UserError if the file cannot be read.
  FilteredPointer load(const DataBlock& block, DataPart part) const;

  /// Whether no block was refused.
  bool has_all() const;
  std::size_t bytes_in_memory() const;
  std::size_t bytes_in_file() const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint64_t, double>;  // shard, first game, share
  struct Place {
    std::shared_ptr<const PackedBlock> in_memory;  // null: in the file, training before validation
    std::uint64_t file_start = 0;
    FilterCounts training, validation;
  };

  static Key key_of(const DataBlock& block) { return {block.shard, block.first_game, block.share}; }
  Place place_of(const DataBlock& block) const;
  /// A part of the file to be written; nullopt if there is no room.
  std::optional<std::uint64_t> reserve_in_file(std::size_t bytes);
  bool write(const std::vector<PackedPosition>& positions, std::uint64_t start) const;
  /// The training's own files need the room more.
  void give_file_up();

  const PositionFilters filters_;
  const GameSplit split_;
  const std::size_t most_in_memory_;
  std::filesystem::path folder_;
  int file_ = -1;

  mutable std::mutex mutex_;
  std::set<Key> offered_;
  std::map<Key, Place> places_;
  std::size_t in_memory_ = 0;
  std::uint64_t in_file_ = 0;
  bool may_write_ = false;
  bool has_all_ = true;
};

}  // namespace farrier
