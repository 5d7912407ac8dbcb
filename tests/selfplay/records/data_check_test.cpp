// Faults of games and of sets are found, and the first one is told with its game.
#include "selfplay/records/data_check.h"

#include "engine/chess/make_move.h"
#include "engine/chess/notation.h"
#include "selfplay/records/score_faults.h"
#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

class DataCheck : public RecordsTest {
 protected:
  /// The refusal of a set, or "".
  std::string check(const std::string& folder, CheckOptions options = {}) {
    options.quiet = true;
    return refusal([&] { check_data(read_catalogue_of({folder}), options); });
  }
};

TEST_F(DataCheck, PassesASoundSetAndCountsIt) {
  write_set(folder_, random_games<PocketKnight>(40, 91), run_info(Variant::PocketKnight, 1), 9);
  CheckOptions options;
  options.quiet = true;
  const CheckReport report = check_data(read_catalogue_of({folder_.string()}), options);
  EXPECT_EQ(report.sums.games, 40u);
  EXPECT_EQ(report.alike, 0u);
  EXPECT_TRUE(contains(check_text(report, options), "40 games, "));
}

TEST_F(DataCheck, TellsTheFirstFaultWhateverTheWorkers) {
  std::vector<GameRecord> games = random_games<Crazyhouse>(60, 92);
  games[23].moves[3] = games[41].moves[4] = Move::normal(Square::A1, Square::H8);
  write_set(folder_, games, run_info(Variant::Crazyhouse, 1), 12);
  for (const int workers : {1, 2, 7}) {
    CheckOptions options;
    options.workers = workers;
    const std::string sentence = check(folder_.string(), options);
    EXPECT_TRUE(contains(sentence, shard_name(1) + ": game 11 breaks the rules: illegal move at ply 3"))
        << sentence;
    EXPECT_TRUE(contains(sentence, games[23].start_fen + " moves " + to_uci(games[23].moves[0]))) << sentence;
  }
}

TEST_F(DataCheck, FindsAWrongResult) {
  std::vector<GameRecord> games = random_games<Crazyhouse>(40, 93);
  const auto mate = std::find_if(games.begin(), games.end(), [](const GameRecord& game) {
    return game.termination == Termination::Checkmate;
  });
  ASSERT_NE(mate, games.end());
  mate->result_white = -mate->result_white;
  write_set(folder_, games, run_info(Variant::Crazyhouse, 1), 40);
  EXPECT_TRUE(contains(check(folder_.string()), "by the rules it is checkmate"));
}

TEST_F(DataCheck, FindsACopiedShard) {
  write_set(folder_, random_games<Crazyhouse>(20, 94), run_info(Variant::Crazyhouse, 1), 10);
  std::filesystem::copy_file(folder_ / shard_name(1), folder_ / "copy.h5");
  const std::string sentence = check(folder_.string());
  EXPECT_TRUE(contains(sentence, "game 0 of " + path("copy.h5"))) << sentence;
  EXPECT_TRUE(contains(sentence, "farrier data merge")) << sentence;
}

TEST_F(DataCheck, CountsGamesThatWentAlikeAndRefusesThemIfAsked) {
  std::vector<GameRecord> games = random_games<Crazyhouse>(20, 95);
  games[17].moves = games[4].moves;
  games[17] = games[4];
  games[17].game_seed = 12345;
  write_set(folder_, games, run_info(Variant::Crazyhouse, 1), 10);
  CheckOptions options;
  options.quiet = true;
  EXPECT_EQ(check_data(read_catalogue_of({folder_.string()}), options).alike, 1u);
  options.unique = true;
  EXPECT_TRUE(contains(check(folder_.string(), options), shard_name(1) + ": game 7 is game 4 of "));
}

TEST_F(DataCheck, MissesAShard) {
  write_set(folder_, random_games<Crazyhouse>(40, 96), run_info(Variant::Crazyhouse, 1), 10);
  std::filesystem::remove(folder_ / shard_name(2));
  EXPECT_TRUE(contains(check(folder_.string()), path("shard-000002.h5") + ": is missing"));
  // Renamed, so that the names show nothing.
  std::filesystem::rename(folder_ / shard_name(3), folder_ / shard_name(2));
  EXPECT_TRUE(contains(check(folder_.string()), "begins with game 30 of its run")) << check(folder_.string());
  // A shard by itself is no set.
  EXPECT_EQ(check(path("shard-000002.h5")), "");
}

TEST_F(DataCheck, AgainstAnotherSetFindsSharedGamesAndCountsSharedPositions) {
  const std::vector<GameRecord> games = random_games<Crazyhouse>(40, 97);
  write_set(folder_ / "train", {games.begin(), games.begin() + 30}, run_info(Variant::Crazyhouse, 1), 10);
  write_set(folder_ / "valid", {games.begin() + 30, games.end()}, run_info(Variant::Crazyhouse, 2), 10);
  write_set(folder_ / "leaky", {games.begin() + 29, games.end()}, run_info(Variant::Crazyhouse, 2), 20);
  CheckOptions options;
  options.quiet = true;
  options.against = read_catalogue_of({path("valid")});
  const CheckReport report = check_data(read_catalogue_of({path("train")}), options);
  EXPECT_LT(report.shared_positions, 0.2);
  EXPECT_TRUE(report.shared_exact);
  options.against = read_catalogue_of({path("leaky")});
  const std::string sentence = check(path("train"), options);
  EXPECT_TRUE(contains(sentence, "game 9 is game 0 of " + path("leaky"))) << sentence;
  EXPECT_TRUE(contains(sentence, "1 games stand in both sets")) << sentence;
}

/// Fool's mate, the mating side's scores as a search gives them.
GameRecord fools_mate(std::vector<std::int16_t> scores) {
  GameRecord game;
  game.start_fen = std::string(start_fen(Variant::Chess));
  Board board = start_board<StandardRules>();
  for (const char* text : {"f2f3", "e7e5", "g2g4", "d8h4"}) {
    game.moves.push_back(*parse_uci_move<StandardRules>(board, text));
    make_move<StandardRules>(board, game.moves.back());
  }
  game.scores_cp_stm = std::move(scores);
  game.termination = Termination::Checkmate;
  game.result_white = -1;
  return game;
}

TEST(ScoreFault, IsAMateThatTheNextPliesContradict) {
  const auto fault = [](std::vector<std::int16_t> scores, bool chose) {
    return find_score_fault<StandardRules>(fools_mate(std::move(scores)), chose);
  };
  EXPECT_EQ(fault({0, 0, mated_in(2), mate_in(1)}, true), std::nullopt);
  EXPECT_NE(fault({0, 0, mate_in(3), mate_in(1)}, true), std::nullopt) << "mated by the next move";
  EXPECT_NE(fault({0, 0, 0, mated_in(2)}, true), std::nullopt) << "mates with its move";
  EXPECT_EQ(fault({0, 0, mate_in(3), mate_in(1)}, false), std::nullopt) << "another search chose the move";
  EXPECT_NE(fault({0, mate_in(1), 0, mate_in(1)}, false), std::nullopt) << "no move mates there";
  EXPECT_EQ(fault({0, 0, 500, 500}, true), std::nullopt) << "a poor score, but a possible one";
}

}  // namespace
}  // namespace farrier
