#include "trainer/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "tests/trainer/training_testing.h"
#include "trainer/batch_stream.h"

namespace farrier {
namespace {

/// White mates by 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#, the first ply random.
GameRecord scholars_mate() {
  const auto square = [](const char* name) { return make_square(name[0] - 'a', name[1] - '1'); };
  GameRecord game;
  game.start_fen = std::string(StandardRules::kStartFen);
  game.random_plies = 1;
  game.result_white = 1;
  game.game_seed = 1;
  const char* moves[][2] = {{"e2", "e4"}, {"e7", "e5"}, {"f1", "c4"}, {"b8", "c6"},
                            {"d1", "h5"}, {"g8", "f6"}, {"h5", "f7"}};
  for (const auto& [from, to] : moves) game.moves.push_back(Move::normal(square(from), square(to)));
  game.scores_cp_stm = {kNoScore, 10, 20, -30, 4000, -5000, 31999};
  return game;
}

PositionFilters no_filters() {
  return {.in_check = false, .noisy = false, .max_score_cp = 32000, .first_plies = 0};
}

FilterCounts counts_of(const GameRecord& game, const PositionFilters& filters) {
  return dataset_of(Variant::Chess, {game}, filters, 0.1).filtered();
}

TEST(Dataset, RandomPliesWithoutAScoreAreNeverLearntFrom) {
  const FilterCounts counts = counts_of(scholars_mate(), no_filters());
  EXPECT_EQ(counts.plies, 7);
  EXPECT_EQ(counts.no_score, 1);
  EXPECT_EQ(counts.kept, 6);
}

TEST(Dataset, EachFilterTakesWhatItSays) {
  PositionFilters filters = no_filters();
  filters.noisy = true;
  EXPECT_EQ(counts_of(scholars_mate(), filters).noisy, 1);  // Qxf7
  filters = no_filters();
  filters.max_score_cp = 3000;
  EXPECT_EQ(counts_of(scholars_mate(), filters).max_score, 3);
  filters = no_filters();
  filters.first_plies = 2;
  EXPECT_EQ(counts_of(scholars_mate(), filters).first_plies, 2);

  GameRecord game = scholars_mate();
  game.start_fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
  game.moves = {Move::normal(Square::E1, offset(Square::E1, 8))};  // Kxe2, out of check and a capture
  game.random_plies = 0;
  game.scores_cp_stm = {0};
  filters = no_filters();
  EXPECT_EQ(counts_of(game, filters).kept, 1);
  filters.in_check = true;
  EXPECT_EQ(counts_of(game, filters).in_check, 1);
}

TEST(Dataset, AnEmptySetSaysWhichFilterTookWhat) {
  PositionFilters filters = no_filters();
  filters.max_score_cp = 1;
  const Dataset dataset = dataset_of(Variant::Chess, {scholars_mate()}, filters, 0.1);
  const std::string error = error_of([&] { dataset.require_positions(); });
  EXPECT_NE(error.find("6 by max_score_cp"), std::string::npos) << error;
  EXPECT_NE(error.find("1 without a score"), std::string::npos) << error;
}

TEST(Dataset, AnIllegalMoveIsRefused) {
  GameRecord game = scholars_mate();
  game.moves[2] = Move::normal(Square::A1, Square::A8);
  const std::string error = error_of([&] { dataset_of(Variant::Chess, {game}, no_filters(), 0.1); });
  EXPECT_NE(error.find("illegal move at ply 2"), std::string::npos) << error;
}

TEST(Dataset, LabelsAreSeenFromTheSideToMove) {
  GameRecord game = scholars_mate();
  while (GameSplit{0.1}.part_of(game.game_seed) != DataPart::Training) ++game.game_seed;
  const Dataset dataset = dataset_of(Variant::Chess, {game}, no_filters(), 0.1);
  StreamOptions options;
  options.batch = 6;
  options.shuffled = false;
  BatchStream stream(dataset, Architecture(), DataPart::Training, options);
  const auto batch = stream.next();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->score_cp_stm, (std::vector<float>{10, 20, -30, 4000, -5000, 31999}));
  EXPECT_EQ(batch->result_stm, (std::vector<float>{0, 1, 0, 1, 0, 1}));  // Black to move first, and White won
  EXPECT_EQ(stream.next(), nullptr);
}

/// A position's inputs and labels as one comparable value.
using Row = std::vector<float>;
std::vector<Row> rows_of(const Dataset& dataset, DataPart part, StreamOptions options) {
  BatchStream stream(dataset, Architecture(), part, options);
  std::vector<Row> rows;
  while (auto batch = stream.next()) {
    for (std::size_t p = 0; p < batch->size(); ++p) {
      Row row{batch->score_cp_stm[p], batch->result_stm[p]};
      row.insert(row.end(), batch->indices.begin() + batch->offsets[2 * p],
                 batch->indices.begin() + batch->offsets[2 * p + 2]);
      rows.push_back(std::move(row));
    }
    stream.recycle(std::move(batch));
  }
  return rows;
}

TEST(BatchStream, AnEpochGivesEveryPositionOnceInAnOrderThatSeedAndEpochDecide) {
  const Dataset dataset = random_dataset(Variant::Crazyhouse, 60);
  StreamOptions options;
  options.batch = 64;
  options.partial = true;
  options.seed = 5;
  auto first = rows_of(dataset, DataPart::Training, options);
  EXPECT_EQ(first, rows_of(dataset, DataPart::Training, options));
  EXPECT_EQ(static_cast<std::int64_t>(first.size()), dataset.positions(DataPart::Training));

  options.epoch = 1;
  auto second = rows_of(dataset, DataPart::Training, options);
  EXPECT_NE(first, second);
  options.shuffled = false;
  auto in_order = rows_of(dataset, DataPart::Training, options);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::sort(in_order.begin(), in_order.end());
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, in_order);
}

TEST(BatchStream, SkippingGoesOnWhereAnInterruptedEpochStood) {
  const Dataset dataset = random_dataset(Variant::Knightmate, 40);
  StreamOptions options;
  options.batch = 64;
  const auto whole = rows_of(dataset, DataPart::Training, options);
  options.skip = 3;
  const auto rest = rows_of(dataset, DataPart::Training, options);
  ASSERT_GT(rest.size(), 0U);
  EXPECT_EQ(rest, (std::vector<Row>(whole.begin() + 3 * 64, whole.end())));
}

TEST(BatchStream, MayBeLeftInTheMiddle) {
  const Dataset dataset = random_dataset(Variant::Chess, 40);
  StreamOptions options;
  options.batch = 8;
  BatchStream stream(dataset, Architecture(), DataPart::Training, options);
  EXPECT_NE(stream.next(), nullptr);
}

TEST(Dataset, TheSplitIsByGameAndLeaksNothing) {
  // Every game starts from a position of its own, so that a game's positions can be told from all others'.
  std::vector<GameRecord> games;
  std::size_t validation_games = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    GameRecord game = random_game<StandardRules>(seed, 20);
    std::fill(game.scores_cp_stm.begin() + 2, game.scores_cp_stm.end(), static_cast<std::int16_t>(seed));
    games.push_back(std::move(game));
    if (GameSplit{0.2}.part_of(seed) == DataPart::Validation) ++validation_games;
  }
  const Dataset dataset = dataset_of(Variant::Chess, games, no_filters(), 0.2);
  StreamOptions options;
  options.partial = true;
  std::set<float> training;
  std::set<float> validation;
  for (const Row& row : rows_of(dataset, DataPart::Training, options)) training.insert(row[0]);
  for (const Row& row : rows_of(dataset, DataPart::Validation, options)) validation.insert(row[0]);
  EXPECT_EQ(validation.size(), validation_games);
  EXPECT_EQ(training.size(), 400 - validation_games);
  EXPECT_NEAR(static_cast<double>(validation_games), 80, 30);
  std::vector<float> both;
  std::set_intersection(training.begin(), training.end(), validation.begin(), validation.end(),
                        std::back_inserter(both));
  EXPECT_TRUE(both.empty());
}

TEST(Dataset, TooFewGamesToBeSplitAreRefused) {
  const std::string error = error_of([] { random_dataset(Variant::Crazyhouse, 1).require_positions(); });
  EXPECT_NE(error.find("too few to be split"), std::string::npos) << error;
}

class DatasetFiles : public FolderTest {};

TEST_F(DatasetFiles, AShardThatVanishesInAnEpochIsToldNotPassedOver) {
  ShardInfo info;
  info.variant = Variant::Chess;
  write_shard(folder_ / shard_name(0), info, random_games_of(Variant::Chess, 40));
  const Dataset dataset(Variant::Chess, {{{folder_}, 1}}, {}, 0.2, {}, /*most_bytes=*/0);
  std::filesystem::remove(folder_ / shard_name(0));
  BatchStream stream(dataset, Architecture(), DataPart::Training, {});
  EXPECT_NE(error_of([&] {
              while (stream.next() != nullptr) {
              }
            }).find(shard_name(0)),
            std::string::npos);
}

TEST_F(DatasetFiles, AShardThatChangesAfterItWasProvedIsToldNotLearntFrom) {
  ShardInfo info;
  info.variant = Variant::Chess;
  write_shard(folder_ / shard_name(0), info, random_games_of(Variant::Chess, 40));
  const Dataset dataset(Variant::Chess, {{{folder_}, 1}}, {}, 0.2, {}, /*most_bytes=*/0);
  std::filesystem::remove(folder_ / shard_name(0));
  write_shard(folder_ / shard_name(0), info, random_games_of(Variant::Chess, 4));
  BatchStream stream(dataset, Architecture(), DataPart::Training, {});
  EXPECT_NE(error_of([&] {
              while (stream.next() != nullptr) {
              }
            }).find(shard_name(0) + ": was changed while it was in use"),
            std::string::npos);
}

TEST_F(DatasetFiles, TheSameGamesTwiceAreRefusedWhetherByNameOrByCopy) {
  ShardInfo info;
  info.variant = Variant::Chess;
  const auto shard = folder_ / shard_name(0);
  write_shard(shard, info, random_games_of(Variant::Chess, 40));
  const auto open = [](const std::vector<std::filesystem::path>& places) {
    return Dataset(Variant::Chess, {{places, 1}}, {}, 0.2).games();
  };
  EXPECT_NE(error_of([&] { open({folder_, shard}); }).find("holds the same games as"), std::string::npos);
  std::filesystem::copy_file(shard, folder_ / "copy.h5");
  EXPECT_NE(error_of([&] { open({folder_}); }).find("leave one of them out"), std::string::npos);
  std::filesystem::remove(folder_ / "copy.h5");
  write_shard(folder_ / shard_name(1), info, std::vector{random_game_of(Variant::Chess, 99)});
  EXPECT_EQ(open({folder_}), 41);
}

TEST_F(DatasetFiles, OfAnotherVariantIsRefused) {
  ShardInfo info;
  info.variant = Variant::Crazyhouse;
  write_shard(folder_ / shard_name(0), info, random_games_of(Variant::Crazyhouse, 4));
  const std::string error = error_of([&] { Dataset(Variant::Chess, {{{folder_}, 1}}, {}, 0.2); });
  EXPECT_NE(error.find("crazyhouse"), std::string::npos) << error;
}

}  // namespace
}  // namespace farrier
