// Reads one shard as a stream of games, holding a bounded window of it in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "selfplay/data/game_record.h"
#include "selfplay/data/shard_info.h"

namespace farrier {

/// A game without its moves: what sums and splits need.
struct GameHeader {
  std::uint64_t first_ply = 0;  // where its plies start in the shard's columns
  std::uint64_t game_seed = 0;
  std::uint16_t plies = 0;
  std::uint16_t random_plies = 0;
  int result_white = 0;
  Termination termination = Termination::PlyLimit;
};

/// A file that is cut, foreign, of a newer version, or damaged throws UserError, which names file and remedy.
class GameReader {
 public:
  explicit GameReader(const std::filesystem::path& path);
  GameReader(GameReader&&) noexcept;
  ~GameReader();

  const ShardInfo& info() const;
  std::uint64_t games() const;
  std::uint64_t plies() const;

  /// Reads the next game into `game`; false at the end.
  bool next(GameRecord& game);
  /// The next game to read; from 0 to games().
  void seek(std::uint64_t game);

  /// Visits the headers of all games in order, without reading a ply; next() goes on where it was.
  void for_each_header(const std::function<void(const GameHeader&)>& visit);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace farrier
