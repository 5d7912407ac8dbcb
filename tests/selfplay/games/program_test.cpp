// The program farrier-selfplay: exit status 0, 1 for failures and 2 for wrong calls, and one sentence for each.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "selfplay/data/game_writer.h"
#include "selfplay/data/shard_set.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

class SelfplayProgram : public testing::Test {
 protected:
  ~SelfplayProgram() override { std::filesystem::remove_all(folder_); }

  CommandResult call(const std::string& arguments) const {
    return run_command(FARRIER_BIN_DIR "/farrier-selfplay " + arguments);
  }
  /// That exit status and, as the only line, a sentence that contains `words`.
  void expect_failure(const std::string& arguments, const std::string& words, int status = 1) const {
    const CommandResult result = call(arguments);
    EXPECT_EQ(result.status, status) << result.output;
    EXPECT_EQ(result.output.rfind("farrier-selfplay: ", 0), 0u) << result.output;
    EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }

  std::filesystem::path folder_ = make_test_folder();
  std::string run_ = (folder_ / "run").string();
};

TEST_F(SelfplayProgram, ExitsWithTwoForAWrongCall) {
  EXPECT_EQ(call("").status, 2);
  EXPECT_EQ(call("selfplay").status, 2);
  EXPECT_EQ(call("selfplay " + run_ + " --variant chess --games many").status, 2);
  EXPECT_EQ(call("selfplay " + run_ + " --variant chess --no-such-option").status, 2);
  EXPECT_EQ(call("data").status, 2);
  for (const std::string option :
       {"--seed", "--generation", "--nodes", "--explore-until", "--book-plies", "--win-plies", "--draw-plies",
        "--draw-score", "--draw-from-ply", "--depth", "--threads"}) {
    const auto refused = call("selfplay " + run_ + " --variant chess --games 2 " + option + " -1");
    EXPECT_EQ(refused.status, 2) << option;
    EXPECT_NE(refused.output.find(option), std::string::npos) << refused.output;
  }
  EXPECT_FALSE(std::filesystem::exists(run_));
}

TEST_F(SelfplayProgram, NamesAMisspeltVerbOfData) {
  expect_failure("data", "'farrier data --help' lists them", 2);
  const auto misspelt = call("data chekc " + run_);
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_NE(misspelt.output.find("chekc"), std::string::npos) << misspelt.output;
}

TEST_F(SelfplayProgram, HelpsAndTellsItsVersion) {
  for (const char* arguments : {"--help", "selfplay --help", "data --help", "data check --help", "--version"})
    EXPECT_EQ(call(arguments).status, 0) << arguments;
}

TEST_F(SelfplayProgram, RefusesWhatItCannotPlay) {
  expect_failure("selfplay " + run_ + " --variant shogi --games 1",
                 "unknown variant \"shogi\"; known are chess", 2);
  expect_failure("selfplay " + run_ + " --variant chess", "how many to make", 2);
  expect_failure("selfplay " + run_ + " --variant chess --games 1 --net " + run_ + "/absent.fnn",
                 "absent.fnn");
  EXPECT_FALSE(std::filesystem::exists(run_));
  std::ofstream(folder_ / "file") << "no folder";
  expect_failure("selfplay " + (folder_ / "file").string() + " --variant chess --games 1",
                 "cannot make this folder");
}

TEST_F(SelfplayProgram, ShowsAndProvesItsGames) {
  ASSERT_EQ(call("selfplay " + run_ + " --variant pocketknight --games 20 --nodes 60 --max-plies 80").status,
            0);
  const CommandResult stats = call("data stats " + run_);
  EXPECT_EQ(stats.status, 0);
  for (const char* words : {"pocketknight", "games       20", "a position", "coherence"})
    EXPECT_NE(stats.output.find(words), std::string::npos) << stats.output;
  const CommandResult check = call("data check " + run_);
  EXPECT_EQ(check.status, 0);
  EXPECT_NE(check.output.find("20 games"), std::string::npos) << check.output;
}

TEST_F(SelfplayProgram, CheckFailsAtAGameThatBreaksTheRules) {
  std::vector<GameRecord> games = random_games<Crazyhouse>(4, 41);
  games[2].moves[3] = Move::normal(Square::A1, Square::H8);
  ShardInfo info;
  info.variant = Variant::Crazyhouse;
  write_shard(folder_ / "bad.h5", info, games);
  expect_failure("data check " + folder_.string(), "game 2 breaks the rules: illegal move at ply 3");
}

TEST_F(SelfplayProgram, RefusesShardsThatAreNone) {
  expect_failure("data stats " + run_, "run");
  expect_failure("data stats " + folder_.string(), "no shard");
  std::ofstream(folder_ / "foreign.h5") << "anything";
  expect_failure("data check " + folder_.string(), "not an HDF5 file");
}

}  // namespace
}  // namespace farrier
