// Writes one shard: whole games into one HDF5 file (SCHEMA.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "selfplay/data/game_record.h"
#include "selfplay/data/shard_info.h"

namespace farrier {

/// The file grows as `path`.tmp and takes its name in finish(); a writer destroyed before leaves nothing.
/// Equal games and info give equal bytes. Throws UserError.
class GameWriter {
 public:
  GameWriter(const std::filesystem::path& path, const ShardInfo& info);
  ~GameWriter();

  void add(const GameRecord& game);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes all of `games` as one shard.
template <class Games>
void write_shard(const std::filesystem::path& path, const ShardInfo& info, const Games& games) {
  GameWriter writer(path, info);
  for (const GameRecord& game : games) writer.add(game);
  writer.finish();
}

}  // namespace farrier
