// What a set of records holds, measured in one pass.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "selfplay/records/score_table.h"
#include "selfplay/records/shard_catalogue.h"

namespace farrier {

/// Sums of men over a stretch of plies.
struct MenAtPlies {
  std::uint64_t positions = 0, men = 0, men_in_hand = 0;
};
constexpr std::size_t kPliesPerStretch = 20;

/// How far games have parted at a ply.
struct OpeningDiversity {
  int ply = 0;
  std::uint64_t games = 0;     // that reached it
  std::uint64_t distinct = 0;  // positions there
};

struct DataStats {
  Variant variant = Variant::Chess;
  std::uint64_t shards = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> nets;  // that played, "material" where none did
  GameSums sums;
  std::vector<std::uint64_t> games_of_plies;  // by length, from 0 plies on
  ScoreTable scores;

  // Over the positions with a score:
  std::uint64_t scored = 0;
  std::uint64_t in_check = 0;
  std::uint64_t noisy_moves = 0;  // captures and promotions
  std::uint64_t drops = 0;
  std::uint64_t distinct = 0;  // positions
  bool distinct_exact = true;  // else an estimate
  std::array<std::array<std::uint64_t, kSquareCount>, kColorCount> royal_squares{};
  std::vector<MenAtPlies> men;  // by stretches of kPliesPerStretch

  std::array<OpeningDiversity, 2> openings{{{8, 0, 0}, {16, 0, 0}}};

  /// Plies that half of the games don't exceed.
  std::size_t median_plies() const;
};

/// Replays every game, on `workers` threads (0: all cores). `quiet` shows no progress.
DataStats measure_data(const ShardCatalogue& catalogue, int workers = 0, bool quiet = false);

std::string stats_text(const DataStats& stats);
/// The same as one JSON object.
std::string stats_json(const DataStats& stats);

}  // namespace farrier
