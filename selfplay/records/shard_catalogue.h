// What a set of shards is made of, read from attributes and sizes alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/data/shard_set.h"

namespace farrier {

struct ShardEntry {
  std::filesystem::path path;
  ShardInfo info;
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_in_set = 0;  // number of its first game, counted through the whole set
};

/// Shards of one variant, in the order given.
struct ShardCatalogue {
  Variant variant = Variant::Chess;
  std::vector<ShardEntry> shards;
  std::vector<std::filesystem::path> folders;  // that were read whole
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t bytes = 0;
};

/// Opens every shard once. Throws UserError for one that is damaged or of another variant.
ShardCatalogue read_catalogue(const std::vector<std::filesystem::path>& shards);
/// The shards of folders and files.
ShardCatalogue read_catalogue_of(const std::vector<std::string>& places);

/// Throws UserError if a folder's shards skip a number or a range of games: a lost shard leaves no other trace.
void require_no_gaps(const ShardCatalogue& catalogue);

/// The value of a line "key = value" in a shard's settings.
std::optional<std::string> setting_of(const ShardInfo& info, std::string_view key);
/// The same settings with one more line.
std::string with_setting(std::string settings, std::string_view key, std::string_view value);

/// Keys that derived sets add to the settings of their sources.
inline constexpr std::string_view kSelectionKey = "selection";   // games were left out
inline constexpr std::string_view kImportKey = "imported_from";  // games of other programs
inline constexpr std::string_view kRescoredKey = "rescored_net";

/// Whether the scores are those of the searches that chose the moves: not so after rescoring or an import.
bool scores_chose_moves(const ShardInfo& info);

}  // namespace farrier
