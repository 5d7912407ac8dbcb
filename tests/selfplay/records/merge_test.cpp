// Sets joined and split keep every game once, in an order that depends on the games alone.
#include "selfplay/records/merge.h"

#include <chrono>
#include <set>

#include "selfplay/records/data_check.h"
#include "selfplay/records/game_content.h"
#include "selfplay/records/whole_output.h"
#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

class MergeOfSets : public RecordsTest {
 protected:
  MergeSummary merge(std::vector<std::string> sources, const char* out, bool keep_clashes = false) {
    MergeSettings settings;
    settings.sources = std::move(sources);
    settings.out = path(out);
    settings.keep_clashes = keep_clashes;
    settings.workers = 2;
    return merge_data(settings, never_);
  }

  std::atomic<bool> never_ = false;
  std::vector<GameRecord> games_ = random_games<Crazyhouse>(60, 101);
};

TEST_F(MergeOfSets, HoldsEachGameOnceInOneOrder) {
  write_set(folder_ / "a", {games_.begin(), games_.begin() + 30}, run_info(Variant::Crazyhouse, 1), 15);
  write_set(folder_ / "b", {games_.begin() + 30, games_.end()}, run_info(Variant::Crazyhouse, 2), 15);
  // A copy of an earlier state of the same run, on another machine.
  write_set(folder_ / "old", {games_.begin(), games_.begin() + 25}, run_info(Variant::Crazyhouse, 1), 15);
  const MergeSummary summary = merge({path("b"), path("old"), path("a")}, "out");
  EXPECT_EQ(summary.sums.games, 60u);
  EXPECT_EQ(summary.repeated, 25u);
  EXPECT_EQ(read_set(path("out")), games_);
  EXPECT_EQ(summary.notes.size(), 1u) << "the seeds differ";
  EXPECT_EQ(GameReader(folder_ / "out" / shard_name(2)).info(),
            GameReader(folder_ / "b" / shard_name(0)).info());
  CheckOptions quiet;
  quiet.quiet = true;
  check_data(read_catalogue_of({path("out")}), quiet);

  merge({path("a"), path("b"), path("old")}, "again");
  EXPECT_EQ(folder_bytes(path("out")), folder_bytes(path("again")));
  EXPECT_TRUE(contains(refusal([&] { merge({path("a")}, "out"); }), "is there already"));
}

TEST_F(MergeOfSets, ThousandsOfGamesTwiceTakeNoLongerThanOnce) {
  const std::vector<GameRecord> many = random_games<Crazyhouse>(3000, 7);
  write_set(folder_ / "a", many, run_info(Variant::Crazyhouse, 1), 1000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(merge({path("a"), path("a")}, "out").repeated, 3000u);
  // Two seconds here under load; reading each pair of games anew took ten minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(MergeOfSets, TwoAtOnceDoNotWriteTheSameFolder) {
  ShardFolderWriter first(folder_ / "out");
  EXPECT_TRUE(
      contains(refusal([&] { ShardFolderWriter second(folder_ / "out"); }), "another process is at work"));
  first.begin_shard(run_info(Variant::Crazyhouse, 1));
  first.add(games_[0]);
  first.finish();
  EXPECT_EQ(names_in(folder_ / "out"), std::vector<std::string>{shard_name(0)});
  WholeFile text(folder_ / "out.txt");
  EXPECT_TRUE(
      contains(refusal([&] { WholeFile other(folder_ / "out.txt"); }), "another process is writing it"));
}

TEST_F(MergeOfSets, RefusesTwoRunsThatClaimTheSameGames) {
  write_set(folder_ / "a", {games_.begin(), games_.begin() + 20}, run_info(Variant::Crazyhouse, 1), 10);
  std::vector<GameRecord> others = games_;
  others[13] = games_[50];
  write_set(folder_ / "b", {others.begin(), others.begin() + 20}, run_info(Variant::Crazyhouse, 1), 10);
  const std::string sentence = refusal([&] { merge({path("a"), path("b")}, "out"); });
  EXPECT_TRUE(contains(sentence, "tell game 13 of seed 1, generation 0 differently")) << sentence;
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  const MergeSummary summary = merge({path("a"), path("b")}, "out", true);
  EXPECT_EQ(summary.sums.games, 21u);
  EXPECT_EQ(summary.repeated, 19u);
  EXPECT_EQ(summary.notes.size(), 1u);
}

TEST_F(MergeOfSets, RefusesTwoVariants) {
  write_set(folder_ / "a", games_, run_info(Variant::Crazyhouse, 1), 60);
  write_set(folder_ / "b", random_games<Knightmate>(3, 1), run_info(Variant::Knightmate, 1), 60);
  EXPECT_TRUE(contains(refusal([&] {
                         merge({path("a"), path("b")}, "out");
                       }),
                       "holds games of knightmate, not of crazyhouse"));
}

class SplitOfASet : public RecordsTest {
 protected:
  SplitSummary split(SplitSettings settings, const std::string& name) {
    settings.sources = {path("set")};
    settings.out = path(name.c_str()) + "-out";
    settings.rest = path(name.c_str()) + "-rest";
    std::atomic<bool> never = false;
    return split_data(settings, never);
  }
};

TEST_F(SplitOfASet, KeepsEveryGameOnOneSideAndGamesAlikeTogether) {
  std::vector<GameRecord> games = random_games<Knightmate>(50, 102);
  games[33] = games[2];
  games[33].game_seed = 999;
  write_set(folder_ / "set", games, run_info(Variant::Knightmate, 1), 20);
  SplitSettings settings;
  settings.share = 0.3;
  const SplitSummary summary = split(settings, "one");
  EXPECT_NEAR(static_cast<double>(summary.out.games), 15, 1);
  EXPECT_EQ(summary.out.games + summary.rest.games, 50u);
  std::set<std::uint64_t> drawn;
  for (const GameRecord& game : read_set(path("one-out"))) drawn.insert(content_hash(game));
  for (const GameRecord& game : read_set(path("one-rest"))) EXPECT_EQ(drawn.count(content_hash(game)), 0u);

  split(settings, "again");
  EXPECT_EQ(folder_bytes(path("one-out")), folder_bytes(path("again-out")));
  settings.seed = 2;
  split(settings, "other");
  EXPECT_NE(folder_bytes(path("one-out")), folder_bytes(path("other-out")));

  CheckOptions options;
  options.quiet = true;
  options.against = read_catalogue_of({path("one-out")});
  check_data(read_catalogue_of({path("one-rest")}), options);
}

TEST_F(SplitOfASet, TakesACountAndRefusesAnEmptyPart) {
  write_set(folder_ / "set", random_games<Knightmate>(30, 103), run_info(Variant::Knightmate, 1), 30);
  SplitSettings settings;
  settings.games = 7;
  EXPECT_EQ(split(settings, "seven").out.games, 7u);
  settings.games = 30;
  EXPECT_TRUE(contains(refusal([&] { split(settings, "all"); }), "neither part may be empty"));
  settings.share = 0.5;
  EXPECT_THROW(split(settings, "both"), WrongCall);
}

}  // namespace
}  // namespace farrier
