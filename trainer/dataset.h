// Recorded games in memory, compact: four bytes a ply and one bit that says whether it is learnt from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/chess/board.h"
#include "selfplay/data/game_record.h"
#include "trainer/config.h"
#include "trainer/score_scale.h"

namespace farrier {

/// What the filters took, each position counted under the first one that took it.
struct FilterCounts {
  std::int64_t plies = 0;
  std::int64_t no_score = 0;  // random opening plies
  std::int64_t first_plies = 0;
  std::int64_t in_check = 0;
  std::int64_t noisy = 0;
  std::int64_t max_score = 0;
  std::int64_t kept = 0;

  void add(const FilterCounts& other);
  /// "12345 plies: 800 without a score, 1200 in check, ...".
  std::string to_text() const;
};

/// Which games: a game belongs to one part with all its positions, decided by its seed alone.
enum class DataPart : std::uint8_t { Training, Validation };

struct StoredGame {
  std::uint64_t first_ply;
  std::uint32_t start;  // index of the start position
  std::uint32_t kept;   // positions that the filters left
  std::uint16_t plies;
  std::int8_t result_white;
};

class Dataset {
 public:
  Dataset(Variant variant, FilterConfig filters, double validation_share);

  /// Takes a game in; one left without positions is counted and dropped. Throws UserError for an illegal
  /// move.
  void add(const GameRecord& game);

  Variant variant() const { return variant_; }
  std::int64_t games() const { return games_read_; }
  const FilterCounts& filtered() const { return filtered_; }
  const std::vector<StoredGame>& part(DataPart part) const {
    return part == DataPart::Training ? training_ : validation_;
  }
  /// Kept positions of a part.
  std::int64_t positions(DataPart part) const;
  const Board& start(const StoredGame& game) const { return starts_[game.start]; }
  Move move(const StoredGame& game, std::size_t ply) const {
    return Move::from_bits(moves_[game.first_ply + ply]);
  }
  int score_cp_stm(const StoredGame& game, std::size_t ply) const { return scores_[game.first_ply + ply]; }
  bool kept(const StoredGame& game, std::size_t ply) const { return kept_[game.first_ply + ply]; }

  /// Scores against results of the kept training positions.
  ScoreHistogram histogram() const;
  /// Changes with any game, its place, or the filters: says whether a training goes on with the same data.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// Throws UserError if either part holds no position, saying what took them.
  void require_positions(const std::string& origin) const;

 private:
  Variant variant_;
  FilterConfig filters_;
  double validation_share_;
  std::int64_t games_read_ = 0;
  FilterCounts filtered_;
  std::uint64_t fingerprint_ = 0;

  std::vector<Board> starts_;
  std::unordered_map<std::string, std::uint32_t> start_of_fen_;
  std::vector<std::uint16_t> moves_;
  std::vector<std::int16_t> scores_;
  std::vector<bool> kept_;
  std::vector<StoredGame> training_;
  std::vector<StoredGame> validation_;
};

/// The part of a game with that seed.
DataPart part_of_game(std::uint64_t game_seed, double validation_share);

/// Loads all shards of `folders`. Throws UserError for a bad shard, another variant, or no positions.
Dataset load_dataset(const std::vector<std::filesystem::path>& folders, Variant variant,
                     const FilterConfig& filters, double validation_share);

}  // namespace farrier
