// Figures of sets of known content, and one game as text.
#include "selfplay/records/data_stats.h"

#include <nlohmann/json.hpp>

#include "engine/chess/make_move.h"
#include "engine/chess/notation.h"
#include "selfplay/records/show.h"
#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

/// Moves from the start with their scores, ended by adjudication for White.
GameRecord chess_game(const std::vector<const char*>& moves, const std::vector<std::int16_t>& scores) {
  GameRecord game;
  game.start_fen = std::string(start_fen(Variant::Chess));
  Board board = start_board<StandardRules>();
  for (const char* text : moves) {
    game.moves.push_back(*parse_uci_move<StandardRules>(board, text));
    make_move<StandardRules>(board, game.moves.back());
  }
  game.scores_cp_stm = scores;
  game.termination = Termination::AdjudicatedWin;
  game.result_white = 1;
  return game;
}

class DataStatsOf : public RecordsTest {};

TEST_F(DataStatsOf, AKnownGameAreRight) {
  GameRecord game = chess_game({"e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"},
                               {kNoScore, 20, 150, -90, 300, -mate_in(4)});
  game.random_plies = 1;
  write_set(folder_, {game}, run_info(Variant::Chess, 1), 1);
  const DataStats stats = measure_data(read_catalogue_of({folder_.string()}), 1, true);
  EXPECT_EQ(stats.sums.games, 1u);
  EXPECT_EQ(stats.sums.plies, 6u);
  EXPECT_EQ(stats.scored, 5u);
  EXPECT_EQ(stats.distinct, 5u);
  EXPECT_EQ(stats.noisy_moves, 2u);
  EXPECT_EQ(stats.in_check, 0u);
  EXPECT_EQ(stats.median_plies(), 6u);
  // White's 150 and 300 and Black's mated point at White; Black's -90 is not clear, his 20 is level.
  EXPECT_EQ(stats.scores.clear_scores(), 3u);
  EXPECT_EQ(stats.scores.coherence(), 1.0);
  EXPECT_EQ(stats.scores.bins()[0].losses, 1u);
  EXPECT_EQ(stats.royal_squares[0][static_cast<std::size_t>(index(Square::E1))], 5u);
  ASSERT_EQ(stats.men.size(), 1u);
  EXPECT_EQ(stats.men[0].men, 32u + 32 + 32 + 31 + 30 + 30);
}

TEST_F(DataStatsOf, OpeningsCountDistinctPositionsAtAPly) {
  const std::vector<std::int16_t> scores(8, 0);
  // The same position at ply 8 by another order of moves, and another one.
  const std::vector<GameRecord> games{
      chess_game({"g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6", "d2d3", "d7d6"}, scores),
      chess_game({"b1c3", "g8f6", "g1f3", "b8c6", "e2e3", "e7e6", "d2d3", "d7d6"}, scores),
      chess_game({"b1c3", "g8f6", "g1f3", "b8c6", "e2e3", "e7e6", "d2d4", "d7d6"}, scores)};
  write_set(folder_, games, run_info(Variant::Chess, 1), 2);
  const DataStats stats = measure_data(read_catalogue_of({folder_.string()}), 2, true);
  EXPECT_EQ(stats.openings[0].games, 3u);
  EXPECT_EQ(stats.openings[0].distinct, 2u);
  EXPECT_EQ(stats.openings[1].games, 0u);
}

TEST_F(DataStatsOf, ManyShardsDoNotDependOnTheWorkers) {
  write_set(folder_, random_games<Crazyhouse>(60, 81), run_info(Variant::Crazyhouse, 1), 7);
  const ShardCatalogue catalogue = read_catalogue_of({folder_.string()});
  const DataStats one = measure_data(catalogue, 1, true);
  EXPECT_EQ(stats_json(one), stats_json(measure_data(catalogue, 3, true)));
  const auto json = nlohmann::json::parse(stats_json(one));
  EXPECT_EQ(json["games"], 60);
  EXPECT_EQ(json["variant"], "crazyhouse");
  EXPECT_GT(json["drops"], 0);
  EXPECT_GT(json["men"][3]["in_hands"], 0.0);
  EXPECT_TRUE(contains(stats_text(one), "games       60, "));
}

TEST_F(DataStatsOf, JsonIsAllThatTheProgramPrints) {
  write_set(folder_, random_games<Knightmate>(5, 82), run_info(Variant::Knightmate, 1), 5);
  const CommandResult result = call("data stats --json " + folder_.string());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(nlohmann::json::parse(result.output)["games"], 5);
}

TEST_F(DataStatsOf, AGameIsShownWithMovesScoresAndBoard) {
  GameRecord game = chess_game({"e2e4", "d7d5", "e4d5"}, {kNoScore, 20, -150});
  game.random_plies = 1;
  write_set(folder_, {game, game}, run_info(Variant::Chess, 1), 1);
  const ShardCatalogue catalogue = read_catalogue_of({folder_.string()});
  const std::string text = show_game(catalogue, 1, 2);
  EXPECT_TRUE(contains(text, "game 1 of 2, number 0 of " + (folder_ / shard_name(1)).string())) << text;
  EXPECT_TRUE(contains(text, "1. e4       random       d5       +0.20\n")) << text;
  EXPECT_TRUE(contains(text, "2. exd5     -1.50")) << text;
  EXPECT_TRUE(contains(text, "5  .  .  .  p  .  .  .  .")) << text;
  EXPECT_TRUE(contains(text, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")) << text;
  EXPECT_TRUE(contains(show_game(catalogue, 0, {}), "after 3 plies, black to move"));
  EXPECT_TRUE(contains(refusal([&] { show_game(catalogue, 2, {}); }), "there are 2 games"));
  EXPECT_TRUE(contains(refusal([&] { show_game(catalogue, 1, 4); }), "this game has 3 plies"));
}

TEST_F(DataStatsOf, HandsArePartOfTheBoardShown) {
  GameRecord game = random_game<Crazyhouse>(83, 60);
  write_set(folder_, {game}, run_info(Variant::Crazyhouse, 1), 1);
  const std::string text = show_game(read_catalogue_of({folder_.string()}), 0, 0);
  EXPECT_TRUE(contains(text, "black holds nothing")) << text;
}

}  // namespace
}  // namespace farrier
