// Crazyhouse games in shards, and what passes over them give as rows that can be compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "selfplay/loading/data_inspection.h"
#include "selfplay/loading/position_stream.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {

/// A position as a line of numbers that can be compared and counted.
using Row = std::vector<int>;

inline Row row_of(const PackedPosition& position) {
  Row row{position.score_cp_stm, position.result_stm, index(position.side_to_move)};
  for (const auto& hand : position.hands) row.insert(row.end(), hand.begin(), hand.end());
  const Piece* man = position.men.data();
  for (Square s : position.occupied) row.insert(row.end(), {index(s), (man++)->bits()});
  return row;
}

inline std::vector<Row> rows_of(const DataMix& mix, const PassSettings& settings) {
  std::vector<Row> rows;
  stream_positions(mix, settings, [&](const PackedPosition& position) {
    rows.push_back(row_of(position));
    return true;
  });
  return rows;
}

inline std::vector<Row> sorted(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

inline PositionFilters no_filters() {
  return {.in_check = false, .noisy = false, .exploratory = false, .max_score_cp = 32767};
}

inline DataInspection inspect(const DataMix& mix, const PositionFilters& filters, const GameSplit& split,
                              int workers) {
  KeptPositions kept(filters, split, 0);
  return inspect_data(mix, kept, workers, [](int, int) {});
}

/// Crazyhouse games in shards of 300, which is more than a block.
class LoadingShards : public testing::Test {
 protected:
  ~LoadingShards() override { std::filesystem::remove_all(folder_); }

  DataMix mix_of(int games, double weight = 1) {
    games_ = random_games<Crazyhouse>(games, 55);
    ShardInfo info;
    info.variant = Variant::Crazyhouse;
    for (std::size_t first = 0, k = 0; first < games_.size(); first += 300, ++k)
      write_shard(folder_ / shard_name(k), info,
                  std::vector<GameRecord>(
                      games_.begin() + static_cast<std::ptrdiff_t>(first),
                      games_.begin() + static_cast<std::ptrdiff_t>(std::min(first + 300, games_.size()))));
    return DataMix(Variant::Crazyhouse, {{{folder_}, weight}});
  }

  /// The same 300 games in each shard, under seeds of its own.
  DataMix mix_of_alike_shards(int shards) {
    std::vector<GameRecord> games = random_games<Crazyhouse>(300, 56);
    ShardInfo info;
    info.variant = Variant::Crazyhouse;
    for (int k = 0; k < shards; ++k) {
      for (GameRecord& game : games) ++game.game_seed;
      write_shard(folder_ / shard_name(static_cast<std::size_t>(k)), info, games);
    }
    return DataMix(Variant::Crazyhouse, {{{folder_}, 1}});
  }

  std::filesystem::path folder_ = make_test_folder();
  std::vector<GameRecord> games_;
};

}  // namespace farrier
