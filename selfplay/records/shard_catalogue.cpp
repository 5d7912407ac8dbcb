#include "selfplay/records/shard_catalogue.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "engine/base/error.h"

namespace farrier {
namespace {

/// k of shard-00000k.h5.
std::optional<std::uint64_t> number_of_shard(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view kStart = "shard-", kEnd = ".h5";
  if (!name.starts_with(kStart) || !name.ends_with(kEnd)) return std::nullopt;
  const char* begin = name.data() + kStart.size();
  const char* end = name.data() + name.size() - kEnd.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool same_run(const ShardInfo& a, const ShardInfo& b) {
  return a.seed == b.seed && a.generation == b.generation && a.net == b.net && a.settings == b.settings;
}

/// `before` and `after` are neighbours by number in one folder.
void require_neighbours(const ShardEntry& before, const ShardEntry& after) {
  if (!same_run(before.info, after.info) || setting_of(before.info, kSelectionKey)) return;
  const std::uint64_t expected = before.info.first_game + before.games;
  if (after.info.first_game == expected) return;
  throw UserError(
      after.path.string(),
      fmt::format("begins with game {} of its run, but {} ends before game {}: a shard is missing, "
                  "doubled or of another run; restore it or make the data again",
                  after.info.first_game, before.path.filename().string(), expected));
}

}  // namespace

ShardCatalogue read_catalogue(const std::vector<std::filesystem::path>& shards) {
  ShardCatalogue catalogue;
  for (const auto& path : shards) {
    const GameReader reader =
        catalogue.shards.empty() ? GameReader(path) : open_shard(path, catalogue.variant);
    catalogue.variant = reader.info().variant;
    ShardEntry entry{
        path,           reader.info(), reader.games(), reader.plies(), std::filesystem::file_size(path),
        catalogue.games};
    catalogue.games += entry.games;
    catalogue.plies += entry.plies;
    catalogue.bytes += entry.bytes;
    catalogue.shards.push_back(std::move(entry));
  }
  return catalogue;
}

ShardCatalogue read_catalogue_of(const std::vector<std::string>& places) {
  const std::vector<std::filesystem::path> paths(places.begin(), places.end());
  ShardCatalogue catalogue = read_catalogue(shard_paths(paths));
  for (const auto& path : paths)
    if (std::filesystem::is_directory(path)) catalogue.folders.push_back(path);
  return catalogue;
}

void require_no_gaps(const ShardCatalogue& catalogue) {
  for (const std::filesystem::path& folder : catalogue.folders) {
    std::map<std::uint64_t, const ShardEntry*> numbered;
    for (const ShardEntry& shard : catalogue.shards)
      if (const auto number = number_of_shard(shard.path);
          number && shard.path == folder / shard_name(*number))
        numbered[*number] = &shard;
    std::uint64_t expected = 0;
    const ShardEntry* before = nullptr;
    for (const auto& [number, shard] : numbered) {
      if (number != expected)
        throw UserError((folder / shard_name(expected)).string(),
                        fmt::format("is missing, though {} is there; restore it or make the data again",
                                    shard->path.filename().string()));
      if (before != nullptr) require_neighbours(*before, *shard);
      before = shard;
      ++expected;
    }
  }
}

std::optional<std::string> setting_of(const ShardInfo& info, std::string_view key) {
  const std::string start = std::string(key) + " = ";
  for (std::size_t begin = 0; begin < info.settings.size();) {
    const std::size_t end = std::min(info.settings.find('\n', begin), info.settings.size());
    const std::string_view line = std::string_view(info.settings).substr(begin, end - begin);
    if (line.starts_with(start)) return std::string(line.substr(start.size()));
    begin = end + 1;
  }
  return std::nullopt;
}

std::string with_setting(std::string settings, std::string_view key, std::string_view value) {
  if (!settings.empty() && settings.back() != '\n') settings += '\n';
  settings += fmt::format("{} = {}\n", key, value);
  return settings;
}

bool scores_chose_moves(const ShardInfo& info) {
  return !setting_of(info, kRescoredKey) && !setting_of(info, kImportKey);
}

}  // namespace farrier
