#include "trainer/dataset.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"
#include "selfplay/data/shard_set.h"

namespace farrier {

void FilterCounts::add(const FilterCounts& other) {
  plies += other.plies;
  no_score += other.no_score;
  first_plies += other.first_plies;
  in_check += other.in_check;
  noisy += other.noisy;
  max_score += other.max_score;
  kept += other.kept;
}

std::string FilterCounts::to_text() const {
  return fmt::format(
      "{} plies: {} without a score, {} by first_plies, {} by in_check, {} by noisy, {} by max_score_cp; {} "
      "kept",
      plies, no_score, first_plies, in_check, noisy, max_score, kept);
}

DataPart part_of_game(std::uint64_t game_seed, double validation_share) {
  Rng rng(derive_seed(game_seed, 0x5A11D, 0));
  return rng.uniform() < validation_share ? DataPart::Validation : DataPart::Training;
}

Dataset::Dataset(Variant variant, FilterConfig filters, double validation_share)
    : variant_(variant), filters_(filters), validation_share_(validation_share) {}

void Dataset::add(const GameRecord& game) {
  const std::size_t first = moves_.size();
  FilterCounts counts;
  const auto keep = [&]<VariantRules R>(const Board& board, Move move, int score_cp_stm, std::size_t ply) {
    ++counts.plies;
    if (score_cp_stm == kNoScore) return ++counts.no_score, false;
    if (ply < static_cast<std::size_t>(game.random_plies) + filters_.first_plies)
      return ++counts.first_plies, false;
    if (filters_.in_check && is_check<R>(board)) return ++counts.in_check, false;
    if (filters_.noisy && is_noisy(board, move)) return ++counts.noisy, false;
    if (std::abs(score_cp_stm) > filters_.max_score_cp) return ++counts.max_score, false;
    return ++counts.kept, true;
  };
  with_rules(variant_, [&]<VariantRules R>() {
    replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
      moves_.push_back(move.bits());
      scores_.push_back(score);
      kept_.push_back(keep.template operator()<R>(board, move, score, ply));
    });
  });

  ++games_read_;
  filtered_.add(counts);
  fingerprint_ = mix64(fingerprint_ ^ game.game_seed);
  fingerprint_ = mix64(fingerprint_ + static_cast<std::uint64_t>(game.result_white + 1));
  for (std::size_t ply = first; ply < moves_.size(); ++ply)
    fingerprint_ =
        mix64(fingerprint_ ^ (static_cast<std::uint64_t>(moves_[ply]) << 32 |
                              static_cast<std::uint64_t>(static_cast<std::uint16_t>(scores_[ply])) << 1 |
                              (kept_[ply] ? 1U : 0U)));
  if (counts.kept == 0) {
    moves_.resize(first);
    scores_.resize(first);
    kept_.resize(first);
    return;
  }
  const auto [entry, is_new] =
      start_of_fen_.try_emplace(game.start_fen, static_cast<std::uint32_t>(starts_.size()));
  if (is_new) {
    starts_.push_back(with_rules(variant_, [&]<VariantRules R>() {
      return parse_fen<R>(game.start_fen).value_or_throw("start FEN of a recorded game");
    }));
  }
  const StoredGame stored{first, entry->second, static_cast<std::uint32_t>(counts.kept),
                          static_cast<std::uint16_t>(moves_.size() - first),
                          static_cast<std::int8_t>(game.result_white)};
  const bool training = part_of_game(game.game_seed, validation_share_) == DataPart::Training;
  (training ? training_ : validation_).push_back(stored);
}

std::int64_t Dataset::positions(DataPart which) const {
  const auto& games = part(which);
  return std::accumulate(games.begin(), games.end(), std::int64_t{0},
                         [](std::int64_t sum, const StoredGame& game) { return sum + game.kept; });
}

ScoreHistogram Dataset::histogram() const {
  ScoreHistogram histogram;
  for (const StoredGame& game : training_) {
    const bool white_starts = start(game).side_to_move == Color::White;
    for (std::size_t ply = 0; ply < game.plies; ++ply) {
      if (!kept(game, ply)) continue;
      const bool white_to_move = white_starts == (ply % 2 == 0);
      histogram.add(score_cp_stm(game, ply), white_to_move ? game.result_white : -game.result_white);
    }
  }
  return histogram;
}

void Dataset::require_positions(const std::string& origin) const {
  if (filtered_.kept == 0)
    throw UserError(
        origin,
        fmt::format("no position is left to learn from ({}); loosen [train.filters] or give more data",
                    filtered_.to_text()));
  for (DataPart which : {DataPart::Training, DataPart::Validation}) {
    if (!part(which).empty()) continue;
    throw UserError(origin,
                    fmt::format("{} games are too few to be split: none for {}; give more data or change "
                                "train.validation_share",
                                games_read_, which == DataPart::Training ? "training" : "validation"));
  }
}

Dataset load_dataset(const std::vector<std::filesystem::path>& folders, Variant variant,
                     const FilterConfig& filters, double validation_share) {
  Dataset dataset(variant, filters, validation_share);
  GameRecord game;
  for (const std::filesystem::path& path : shard_paths(folders)) {
    GameReader reader = open_shard(path, variant);
    try {
      while (reader.next(game)) dataset.add(game);
    } catch (const UserError& e) {
      const std::string reason = e.what();
      if (reason.find(path.string()) != std::string::npos) throw;
      throw UserError(path.string(), reason);
    }
  }
  std::string origin;
  for (const auto& folder : folders) origin += (origin.empty() ? "" : ", ") + folder.string();
  dataset.require_positions(origin);
  return dataset;
}

}  // namespace farrier
