// What the tests of the data verbs share: a folder of its own, small sets of shards, calls of the program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {

/// Attributes of a run of that seed.
inline ShardInfo run_info(Variant variant, std::uint64_t seed) {
  ShardInfo info;
  info.variant = variant;
  info.seed = seed;
  info.settings = "seed = " + std::to_string(seed) + "\n";
  return info;
}

/// Writes games as a run's folder of shards.
inline void write_set(const std::filesystem::path& folder, const std::vector<GameRecord>& games,
                      ShardInfo info, std::size_t games_per_shard) {
  std::filesystem::create_directories(folder);
  for (std::size_t first = 0; first < games.size(); first += games_per_shard) {
    info.first_game = first;
    const auto begin = games.begin() + static_cast<std::ptrdiff_t>(first);
    const auto count = static_cast<std::ptrdiff_t>(std::min(games_per_shard, games.size() - first));
    write_shard(folder / shard_name(first / games_per_shard), info,
                std::vector<GameRecord>(begin, begin + count));
  }
}

inline std::vector<GameRecord> read_set(const std::filesystem::path& folder) {
  std::vector<GameRecord> games;
  GameRecord game;
  for (const auto& path : shard_paths(folder))
    for (GameReader reader(path); reader.next(game);) games.push_back(game);
  return games;
}

/// The names in a folder, sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Bytes of all files of a folder, in the order of their names.
inline std::string folder_bytes(const std::filesystem::path& folder) {
  std::string bytes;
  for (const std::string& name : names_in(folder)) bytes += name + '\n' + file_bytes(folder / name);
  return bytes;
}

class RecordsTest : public testing::Test {
 protected:
  ~RecordsTest() override { std::filesystem::remove_all(folder_); }

  /// The sentence with which `action` is refused, empty if it is not.
  template <class Action>
  static std::string refusal(Action&& action) {
    try {
      action();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  static bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }

  static CommandResult call(const std::string& arguments) {
    return run_command(FARRIER_BIN_DIR "/farrier-selfplay " + arguments);
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_ = make_test_folder();
};

}  // namespace farrier
