// A run's data as a set of shards: which files belong to it, and their sums.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/data/game_reader.h"

namespace farrier {

/// Counts over games; grows by one game at a time.
struct GameSums {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t positions = 0;  // plies that a search judged: what training learns from
  std::uint64_t white_wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t black_wins = 0;
  std::array<std::uint64_t, kTerminationCount> terminations{};

  void add(std::uint16_t game_plies, std::uint16_t random_plies, int result_white, Termination termination);
  void add(const GameHeader& game) {
    add(game.plies, game.random_plies, game.result_white, game.termination);
  }
  void add(const GameRecord& game) {
    add(static_cast<std::uint16_t>(game.moves.size()), game.random_plies, game.result_white,
        game.termination);
  }
  void add(const GameSums& other);
};

/// The name of shard k in its folder: shard-000000.h5, and so on.
std::string shard_name(std::uint64_t k);

/// The shards of `folder` (all its *.h5 files) by name; a file stands for itself. Throws UserError if there
/// is none.
std::vector<std::filesystem::path> shard_paths(const std::filesystem::path& folder);
/// The shards of several folders and files, in the order given.
std::vector<std::filesystem::path> shard_paths(const std::vector<std::filesystem::path>& folders);

struct ShardSetSums {
  Variant variant = Variant::Chess;
  GameSums games;
  std::uint64_t bytes = 0;  // of the files
};

/// Sums over shards, which must all be of one variant. Reads tables of games only.
ShardSetSums sum_shards(const std::vector<std::filesystem::path>& shards);

/// Opens a shard that must be of `variant`.
GameReader open_shard(const std::filesystem::path& path, Variant variant);

}  // namespace farrier
