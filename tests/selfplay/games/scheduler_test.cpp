// Runs of self-play: the same bytes whoever plays them, however often they are killed, and no mixing of runs.
#include "selfplay/games/scheduler.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "engine/base/error.h"
#include "selfplay/data/folder_lock.h"
#include "selfplay/records/data_check.h"
#include "tests/selfplay/data/test_games.h"

namespace farrier {
namespace {

class SelfplayRun : public testing::Test {
 protected:
  ~SelfplayRun() override { std::filesystem::remove_all(folder_); }

  SelfplaySettings quick(const std::string& name, std::uint64_t games) const {
    SelfplaySettings settings;
    settings.variant = Variant::Crazyhouse;
    settings.folder = folder_ / name;
    settings.seed = 7;
    settings.games = games;
    settings.games_per_shard = 8;
    settings.workers = 2;
    settings.hash_mib = 1;
    settings.game.nodes.soft_nodes = 60;
    settings.game.openings.check_nodes = 60;
    settings.game.max_plies = 100;
    return settings;
  }
  SelfplaySummary run(const SelfplaySettings& settings) {
    std::atomic<bool> never = false;
    return generate_games(settings, never);
  }
  /// Whole shards, byte by byte: columns and attributes.
  std::map<std::string, std::string> shards_of(const SelfplaySettings& settings) {
    std::map<std::string, std::string> shards;
    for (const auto& path : shard_paths(settings.folder)) shards[path.filename()] = file_bytes(path);
    return shards;
  }
  static std::string refusal(const SelfplaySettings& settings) {
    std::atomic<bool> never = false;
    try {
      generate_games(settings, never);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ = make_test_folder();
};

TEST_F(SelfplayRun, WritesEqualBytesWithOneWorkerAndWithFour) {
  SelfplaySettings one = quick("one", 36), four = quick("four", 36);
  one.workers = 1;
  four.workers = 4;
  const SelfplaySummary summary = run(one);
  run(four);
  EXPECT_TRUE(summary.complete);
  EXPECT_EQ(summary.sums.games, 36u);
  EXPECT_EQ(shards_of(one).size(), 5u);
  EXPECT_EQ(shards_of(one), shards_of(four));
  EXPECT_EQ(check_data(read_catalogue_of({four.folder.string()})).sums.games, 36u);
}

TEST_F(SelfplayRun, GamesDifferBySeedGenerationAndIndex) {
  std::set<std::vector<std::uint16_t>> games;
  for (const auto& [seed, generation] : {std::pair{7, 0}, std::pair{8, 0}, std::pair{7, 1}}) {
    SelfplaySettings settings = quick(std::to_string(seed) + "-" + std::to_string(generation), 8);
    settings.seed = static_cast<std::uint64_t>(seed);
    settings.generation = static_cast<std::uint32_t>(generation);
    run(settings);
    GameReader reader(shard_paths(settings.folder).front());
    for (GameRecord game; reader.next(game);) {
      std::vector<std::uint16_t> moves;
      for (Move move : game.moves) moves.push_back(move.bits());
      games.insert(moves);
    }
  }
  EXPECT_EQ(games.size(), 24u);
}

TEST_F(SelfplayRun, StoppedAndResumedEqualsAnUnbrokenOne) {
  const SelfplaySettings unbroken = quick("unbroken", 30), broken = quick("broken", 30);
  run(unbroken);
  int sessions = 0;
  for (bool complete = false; !complete; ++sessions) {
    std::atomic<bool> stop = false;
    // A game under way is lost with its session, so a busy machine must get longer ones in the end.
    std::thread stopper([&stop, session_ms = 40 + 5 * sessions] {
      std::this_thread::sleep_for(std::chrono::milliseconds(session_ms));
      stop = true;
    });
    complete = generate_games(broken, stop).complete;
    stopper.join();
    ASSERT_LT(sessions, 1000);
  }
  EXPECT_GT(sessions, 1);
  EXPECT_EQ(shards_of(broken), shards_of(unbroken));
}

TEST_F(SelfplayRun, ExtendedLaterEqualsOneOfThatLength) {
  const SelfplaySettings whole = quick("whole", 30);
  run(whole);
  for (const std::uint64_t games : {5u, 16u, 19u, 30u}) run(quick("grown", games));
  EXPECT_EQ(shards_of(quick("grown", 30)), shards_of(whole));
  // Nothing is left to do, and nothing is done.
  EXPECT_EQ(run(whole).played_games, 0u);
  EXPECT_EQ(run(quick("whole", 12)).played_games, 0u);
  EXPECT_EQ(shards_of(quick("grown", 30)), shards_of(whole));
}

TEST_F(SelfplayRun, EndsWithTheGameThatReachesTheNumberOfPositions) {
  SelfplaySettings one = quick("one", 0), four = quick("four", 0);
  one.games = four.games = std::nullopt;
  one.positions = four.positions = 1000;
  one.workers = 1;
  four.workers = 4;
  const SelfplaySummary summary = run(one);
  run(four);
  EXPECT_EQ(shards_of(one), shards_of(four));
  EXPECT_GE(summary.sums.positions, 1000u);
  std::uint64_t last_game = 0;
  GameReader reader(shard_paths(one.folder).back());
  for (GameRecord game; reader.next(game);) last_game = game.positions();
  EXPECT_LT(summary.sums.positions - last_game, 1000u) << "the game before had reached it already";
  EXPECT_EQ(run(four).played_games, 0u);
}

TEST_F(SelfplayRun, OfOtherSettingsInTheSameFolderIsRefused) {
  SelfplaySettings settings = quick("run", 4);
  run(settings);
  settings.game.nodes.soft_nodes = 61;
  EXPECT_NE(refusal(settings).find("was begun with [soft_nodes = 60], not with [soft_nodes = 61]"),
            std::string::npos)
      << refusal(settings);
  // Without its journal, the shards tell.
  std::filesystem::remove(settings.folder / "games.journal");
  EXPECT_NE(refusal(settings).find("was begun with [soft_nodes = 60]"), std::string::npos)
      << refusal(settings);
}

TEST_F(SelfplayRun, InAFolderWhereAnotherIsAtWorkIsRefused) {
  const SelfplaySettings settings = quick("run", 4);
  std::filesystem::create_directories(settings.folder);
  {
    const FolderLock other(settings.folder, "games.lock");
    EXPECT_NE(refusal(settings).find("another process is at work in this folder"), std::string::npos)
        << refusal(settings);
  }
  EXPECT_TRUE(run(settings).complete);
}

TEST_F(SelfplayRun, InAnUnwritableFolderIsRefused) {
  std::ofstream(folder_ / "file") << "no folder";
  SelfplaySettings settings = quick("file/run", 4);
  EXPECT_NE(refusal(settings).find("cannot make this folder"), std::string::npos) << refusal(settings);
  settings.folder = "/dev/null/farrier";
  EXPECT_NE(refusal(settings).find("cannot make this folder"), std::string::npos) << refusal(settings);
}

TEST_F(SelfplayRun, WithValuesOutOfRangeIsRefused) {
  SelfplaySettings settings = quick("run", 4);
  settings.game.adjudication.played_out_share = 1.5;
  EXPECT_NE(refusal(settings).find("--played-out 1.5: out of range; give 0 to 1"), std::string::npos)
      << refusal(settings);
  settings = quick("run", 4);
  settings.games = std::nullopt;
  EXPECT_NE(refusal(settings).find("--games or --positions"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(settings.folder));
}

TEST_F(SelfplayRun, TakesAtMostFourBytesAPosition) {
  SelfplaySettings settings = quick("run", 400);
  settings.games_per_shard = 1000;
  const SelfplaySummary summary = run(settings);
  EXPECT_LE(static_cast<double>(summary.bytes), 4.0 * static_cast<double>(summary.sums.positions));
}

/// Starts the real program; the caller reaps it.
pid_t start_program(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  return pid;
}

TEST_F(SelfplayRun, KilledAtRandomMomentsEqualsAnUnbrokenOne) {
  const auto command = [&](const std::string& name) {
    return std::vector<std::string>{FARRIER_BIN_DIR "/farrier-selfplay",
                                    "selfplay",
                                    (folder_ / name).string(),
                                    "--variant",
                                    "knightmate",
                                    "--games",
                                    "60",
                                    "--games-per-shard",
                                    "9",
                                    "--nodes",
                                    "60",
                                    "--hash",
                                    "1",
                                    "--workers",
                                    "2",
                                    "--max-plies",
                                    "100"};
  };
  const auto wait_for = [](pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
  };
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(wait_for(start_program(command("unbroken"))), 0);
  const auto whole = std::chrono::steady_clock::now() - start;

  Rng rng(31);
  int kills = 0;
  for (bool complete = false; !complete;) {
    const pid_t pid = start_program(command("killed"));
    std::this_thread::sleep_for(whole * (0.02 + 0.3 * rng.uniform()));
    kill(pid, SIGKILL);
    const int status = wait_for(pid);
    complete = WIFEXITED(status);
    if (complete) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
    }
    kills += !complete;
    ASSERT_LT(kills, 200) << "no progress between kills";
  }
  EXPECT_GT(kills, 2);
  SelfplaySettings unbroken, killed;
  unbroken.folder = folder_ / "unbroken";
  killed.folder = folder_ / "killed";
  EXPECT_EQ(shards_of(killed), shards_of(unbroken));
}

TEST_F(SelfplayRun, InterruptedSaysWhatItKept) {
  const std::string command = std::string("timeout -s INT 3 ") +
                              FARRIER_BIN_DIR "/farrier-selfplay selfplay " + (folder_ / "run").string() +
                              " --variant chess --games 1000000 --nodes 100";
  // `timeout` itself reports 124; the program's own words tell.
  const CommandResult result = run_command(command);
  EXPECT_NE(result.output.find("games are kept; give the same command again to go on"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace farrier
