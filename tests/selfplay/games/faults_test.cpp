// What goes wrong in the long run: full disks, folders that vanish, books of nothing. At most the games in flight are
// lost, and the program says what it kept and why it ended.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "selfplay/data/shard_set.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

class SelfplayFault : public testing::Test {
 protected:
  ~SelfplayFault() override { std::filesystem::remove_all(folder_); }

  /// A run of short games in the folder `name`.
  std::string command(const std::string& name, const std::string& more, int games = 40) const {
    return std::string(FARRIER_BIN_DIR) + "/farrier-selfplay selfplay " + (folder_ / name).string() +
           " --variant crazyhouse --games " + std::to_string(games) +
           " --nodes 60 --hash 1 --workers 2 --max-plies 80 " + more;
  }
  std::map<std::string, std::string> shards_of(const std::string& name) const {
    std::map<std::string, std::string> shards;
    for (const auto& path : shard_paths(folder_ / name)) shards[path.filename()] = file_bytes(path);
    return shards;
  }

  std::filesystem::path folder_ = make_test_folder();
};

TEST_F(SelfplayFault, AFullDiskLosesNoFinishedGameWhetherJournalOrShardFillIt) {
  ASSERT_EQ(run_command(command("whole", "--games-per-shard 15")).status, 0);
  // No file may grow beyond 6 KiB: the journal of 40 games does, and the shard of 15 games does.
  for (const auto& [name, per_shard] : {std::pair{"journal", "1000"}, std::pair{"shard", "15"}}) {
    const std::string options = std::string("--games-per-shard ") + per_shard;
    const CommandResult full = run_command("trap '' XFSZ; ulimit -f 12; " + command(name, options));
    EXPECT_EQ(full.status, 1) << full.output;
    EXPECT_NE(full.output.find("games are kept: give the same command again"), std::string::npos)
        << full.output;
    EXPECT_NE(full.output.find(name), std::string::npos) << full.output;
    EXPECT_EQ(std::count(full.output.begin(), full.output.end(), '\n'), 1) << full.output;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / name))
      EXPECT_NE(file.path().extension(), ".tmp") << file.path();
    const CommandResult again = run_command(command(name, options));
    EXPECT_EQ(again.status, 0) << again.output;
    EXPECT_NE(again.output.find("going on after"), std::string::npos) << again.output;
  }
  EXPECT_EQ(shards_of("shard"), shards_of("whole"));
}

TEST_F(SelfplayFault, AFolderThatVanishesEndsTheRun) {
  std::thread remover([this] {
    while (!std::filesystem::exists(folder_ / "run" / "games.journal"))
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::filesystem::remove_all(folder_ / "run");
  });
  const CommandResult result = run_command("timeout 60 " + command("run", "", 1000000));
  remover.join();
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("has vanished while games were written to it"), std::string::npos)
      << result.output;
}

TEST_F(SelfplayFault, ABookOfLopsidedOpeningsEndsWithTheReason) {
  std::ofstream(folder_ / "bad.epd")
      << "4k3/8/8/8/8/8/8/QQQQK3[] w - - 0 1\n4k3/8/8/8/8/8/8/RRRRK3[] b - - 0 1\n";
  const std::string book = " --book " + (folder_ / "bad.epd").string();
  const CommandResult result = run_command("timeout 60 " + command("run", book + " --random-plies 0"));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("none of the openings drawn from the book (2 in it) can be used: 2 lopsided"),
            std::string::npos)
      << result.output;
  // The folder is not bound to settings that gave no game.
  EXPECT_EQ(run_command(command("run", "")).status, 0);
}

TEST_F(SelfplayFault, ABookIsFrozenWithTheRun) {
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1\n";
  std::ofstream(folder_ / "a.epd") << start;
  std::ofstream(folder_ / "b.epd") << start << "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] b KQkq - 0 1\n";
  const auto with = [&](const char* book) {
    return command("run", " --random-plies 2 --book " + (folder_ / book).string());
  };
  ASSERT_EQ(run_command(with("a.epd")).status, 0);
  const CommandResult other = run_command(with("b.epd"));
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.output.find("was begun with [opening_book = "), std::string::npos) << other.output;
}

}  // namespace
}  // namespace farrier
