// Rescored games are the same games, with the scores of a search that a test can repeat.
#include "selfplay/rescore/rescore.h"

#include <chrono>
#include <thread>

#include "engine/search/searcher.h"
#include "selfplay/records/shard_catalogue.h"
#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

class RescoredSet : public RecordsTest {
 protected:
  RescoreSummary rescore(const char* out, int workers, std::uint64_t games_per_shard = 1000) {
    RescoreSettings settings;
    settings.sources = {path("set")};
    settings.out = path(out);
    settings.soft_nodes = 40;
    settings.workers = workers;
    settings.games_per_shard = games_per_shard;
    std::atomic<bool> never = false;
    return rescore_data(settings, never);
  }
};

TEST_F(RescoredSet, HoldsTheSameGamesWithScoresOfTheSearch) {
  std::vector<GameRecord> games = random_games<Knightmate>(9, 121);
  games[2].exploratory_plies = {static_cast<std::uint16_t>(games[2].random_plies)};
  write_set(folder_ / "set", games, run_info(Variant::Knightmate, 1), 5);
  EXPECT_TRUE(rescore("out", 2).complete);
  const std::vector<GameRecord> found = read_set(path("out"));
  ASSERT_EQ(found.size(), games.size());
  SearcherOptions options;
  options.hash_mib = 2;
  Searcher<Knightmate> searcher(options);
  SearchLimits limits;
  limits.soft_nodes = 40;
  limits.hard_nodes = 800;
  for (std::size_t i = 0; i < games.size(); ++i) {
    GameRecord expected = games[i];
    expected.exploratory_plies.clear();
    searcher.clear();
    Game<Knightmate> game(*parse_fen<Knightmate>(expected.start_fen));
    for (std::size_t ply = 0; ply < expected.moves.size(); ++ply) {
      if (ply >= expected.random_plies)
        expected.scores_cp_stm[ply] = static_cast<std::int16_t>(searcher.search(game, limits).score_cp_stm);
      game.play(expected.moves[ply]);
    }
    EXPECT_EQ(found[i], expected) << i;
  }
}

TEST_F(RescoredSet, IsTheSameBytesWithAnyNumberOfWorkers) {
  write_set(folder_ / "set", random_games<Crazyhouse>(25, 122), run_info(Variant::Crazyhouse, 1), 10);
  rescore("one", 1);
  rescore("four", 4);
  EXPECT_EQ(folder_bytes(path("one")), folder_bytes(path("four")));
}

TEST_F(RescoredSet, TellsItsOriginAndCutsLongShards) {
  write_set(folder_ / "set", random_games<Crazyhouse>(25, 123), run_info(Variant::Crazyhouse, 7), 25);
  rescore("out", 2, 10);
  EXPECT_EQ(names_in(path("out")).size(), 3u);
  const GameReader reader(folder_ / "out" / shard_name(2));
  EXPECT_EQ(reader.info().first_game, 20u);
  EXPECT_EQ(reader.info().seed, 7u);
  EXPECT_EQ(setting_of(reader.info(), "seed"), "7");
  EXPECT_EQ(setting_of(reader.info(), "rescored_net"), "material");
  EXPECT_EQ(setting_of(reader.info(), "rescored_soft_nodes"), "40");
  EXPECT_TRUE(setting_of(reader.info(), "played_by"));
  EXPECT_FALSE(scores_chose_moves(reader.info()));
  EXPECT_EQ(call("data check " + path("out")).status, 0);
}

TEST_F(RescoredSet, GoesOnWithTheSameSettingsAlone) {
  write_set(folder_ / "set", random_games<Crazyhouse>(10, 124), run_info(Variant::Crazyhouse, 1), 10);
  RescoreSettings settings;
  settings.sources = {path("set")};
  settings.out = path("out");
  settings.workers = 1;
  std::atomic<bool> stop = false;
  EXPECT_THROW(rescore_data(settings, stop), WrongCall) << "no limit";
  settings.soft_nodes = 4000;
  std::thread stopper([&] {  // once a game is done: then the journal is longer than its settings
    std::error_code absent;
    while (const auto size = std::filesystem::file_size(folder_ / "out.tmp" / "rescore.journal", absent)) {
      if (!absent && size > 600) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stop = true;
  });
  EXPECT_FALSE(rescore_data(settings, stop).complete);
  stopper.join();
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  stop = false;
  settings.soft_nodes = 41;
  const std::string sentence = refusal([&] { rescore_data(settings, stop); });
  EXPECT_TRUE(contains(sentence, "was begun with [rescored_soft_nodes = 4000]")) << sentence;
}

}  // namespace
}  // namespace farrier
