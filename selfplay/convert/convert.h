// Records into the formats of other programs, and theirs into records.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/variants/variant.h"
#include "selfplay/loading/position_filters.h"

namespace farrier {

enum class DataFormat { Records, Pgn, Text, Epd, Positions };
/// By the ending of the name: .pgn, .txt, .epd; .h5 or none is records.
std::optional<DataFormat> format_of_path(const std::filesystem::path& path);
/// "records", "pgn", "text", "epd", "positions".
std::optional<DataFormat> format_from_name(const std::string& name);

/// All positions whose score judges them.
inline PositionFilters none_but_exploratory() {
  PositionFilters filters;
  filters.in_check = filters.noisy = false;
  filters.max_score_cp = std::numeric_limits<int>::max();
  return filters;
}

struct ConvertSettings {
  std::vector<std::string> sources;
  DataFormat from = DataFormat::Records;
  std::filesystem::path out;
  DataFormat to = DataFormat::Text;
  std::optional<Variant> variant;                    // text and EPD don't tell theirs
  PositionFilters filters = none_but_exploratory();  // of positions that leave as such
  std::optional<std::uint64_t> limit;
  std::uint64_t games_per_shard = 1000;
};

/// What was read, written and skipped. Games where games are written, positions where positions are.
struct ConvertSummary {
  std::uint64_t games = 0;      // written, or read out of which positions were written
  std::uint64_t positions = 0;  // written
  FilterCounts filtered;        // where positions are written
  std::uint64_t skipped = 0;    // games, or lines, that could not be read or written
  std::string first_skipped;    // where and why
};

/// Streams with bounded memory; the output appears whole or not at all. Throws UserError.
ConvertSummary convert_data(const ConvertSettings& settings, const std::atomic<bool>& stop);
std::string convert_text(const ConvertSettings& settings, const ConvertSummary& summary);

}  // namespace farrier
