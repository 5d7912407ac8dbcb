// Shards of one or several origins, each with a weight, cut into blocks of games: what a pass over data is made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/variants/variant.h"
#include "selfplay/data/game_reader.h"
#include "selfplay/loading/data_block.h"

namespace farrier {

/// Folders of shards, or shards, that weigh the same. With weight 0.5 half of their games are used, always the
/// same ones; with weight 2 each game is used twice in a pass.
struct DataSource {
  std::vector<std::filesystem::path> places;
  double weight = 1;
};

class DataMix {
 public:
  /// Opens each shard once. Throws UserError for a bad shard, another variant, a weight that is no share, or games that
  /// are given twice.
  DataMix(Variant variant, const std::vector<DataSource>& sources);

  struct Shard {
    std::filesystem::path path;
    std::uint64_t games = 0;
    double weight = 1;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written;
  };

  Variant variant() const { return variant_; }
  const std::vector<Shard>& shards() const { return shards_; }
  /// The places, for messages.
  const std::string& origin() const { return origin_; }
  /// Throws UserError also if the file is no longer the one that this mix was made of.
  GameReader open(std::uint32_t shard) const;

  /// All blocks of a pass in the order of the records.
  std::vector<DataBlock> blocks() const;
  /// The same blocks in an order that `seed` decides: shards shuffled, and the blocks of a few neighbouring shards
  /// mixed, so that few files are open at a time.
  std::vector<DataBlock> shuffled_blocks(std::uint64_t seed) const;

 private:
  void add_shards(const std::filesystem::path& place, double weight);
  void refuse_copies() const;
  void add_blocks(std::uint32_t shard, std::vector<DataBlock>& blocks) const;

  Variant variant_;
  std::vector<Shard> shards_;
  std::string origin_;
};

/// Whether a game belongs to that share of the games.
bool belongs_to_share(std::uint64_t game_seed, double share);

}  // namespace farrier
