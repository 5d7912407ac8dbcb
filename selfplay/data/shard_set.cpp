#include "selfplay/data/shard_set.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "engine/base/error.h"

namespace farrier {

void GameSums::add(std::uint16_t game_plies, std::uint16_t random_plies, int result_white,
                   Termination termination) {
  ++games;
  plies += game_plies;
  positions += game_plies - random_plies;
  ++(result_white > 0 ? white_wins : result_white < 0 ? black_wins : draws);
  ++terminations[static_cast<std::size_t>(termination)];
}

void GameSums::add(const GameSums& other) {
  games += other.games;
  plies += other.plies;
  positions += other.positions;
  white_wins += other.white_wins;
  draws += other.draws;
  black_wins += other.black_wins;
  for (std::size_t t = 0; t < terminations.size(); ++t) terminations[t] += other.terminations[t];
}

std::string shard_name(std::uint64_t k) { return fmt::format("shard-{:06}.h5", k); }

std::vector<std::filesystem::path> shard_paths(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_regular_file(folder, error)) return {folder};
  std::vector<std::filesystem::path> shards;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".h5") shards.push_back(it->path());
  if (error) throw UserError(folder.string(), "cannot read this folder: " + error.message());
  if (shards.empty())
    throw UserError(folder.string(),
                    "no shard (*.h5) in this folder; name one that `farrier selfplay` has filled");
  std::sort(shards.begin(), shards.end());
  return shards;
}

std::vector<std::filesystem::path> shard_paths(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> shards;
  for (const auto& folder : folders)
    for (auto& path : shard_paths(folder)) shards.push_back(std::move(path));
  return shards;
}

ShardSetSums sum_shards(const std::vector<std::filesystem::path>& shards) {
  ShardSetSums sums;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    GameReader reader = i == 0 ? GameReader(shards[i]) : open_shard(shards[i], sums.variant);
    sums.variant = reader.info().variant;
    sums.bytes += std::filesystem::file_size(shards[i]);
    reader.for_each_header([&](const GameHeader& game) { sums.games.add(game); });
  }
  return sums;
}

GameReader open_shard(const std::filesystem::path& path, Variant variant) {
  GameReader reader(path);
  if (reader.info().variant != variant)
    throw UserError(path.string(),
                    fmt::format("holds games of {}, not of {}; keep variants in folders of their own",
                                variant_name(reader.info().variant), variant_name(variant)));
  return reader;
}

}  // namespace farrier
