#include "trainer/sweep.h"

#include <signal.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "engine/base/files.h"
#include "tests/trainer/sweep_testing.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint.h"

namespace farrier {
namespace {

class Sweeps : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    std::filesystem::create_directories(folder_ / "data");
    ShardInfo info;
    info.variant = Variant::Knightmate;
    write_shard(folder_ / "data" / shard_name(0), info, random_games_of(Variant::Knightmate, 80));
  }

  SweepSettings settings(const std::string& out, const std::vector<std::string>& axes) {
    SweepSettings s;
    s.experiment = small_experiment();
    for (const std::string& axis : axes) s.axes.push_back(parse_sweep_axis(axis));
    s.data = {{{folder_ / "data"}, 1}};
    s.out = folder_ / out;
    return s;
  }
  nlohmann::json results(const std::string& out) {
    return nlohmann::json::parse(read_file(folder_ / out / "sweep.json"));
  }
  std::atomic<bool> stop_{false};
};

TEST_F(Sweeps, TrainEachCombinationInAFolderOfItsOwn) {
  const SweepOutcome outcome = run_sweep(settings("out", {"train.lr=3e-3,1e-3"}), stop_);
  EXPECT_TRUE(outcome.complete());
  const nlohmann::json all = results("out")["trainings"];
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]["settings"]["train.lr"], "1e-3");
  for (const auto& training : all) {
    const auto folder = folder_ / "out" / training["name"].get<std::string>();
    EXPECT_EQ(training["state"], "finished");
    EXPECT_EQ(training["best"]["validation_loss"],
              *number_in(load_training_metrics(folder).best(), "validation_loss"));
    // The frozen file gives the same training by hand.
    EXPECT_EQ(load_experiment(folder / "config.toml").train.lr,
              std::stod(training["settings"]["train.lr"].get<std::string>()));
  }
  const std::string table = sweep_table(outcome);
  EXPECT_TRUE(has(table, "lowest loss")) << table;
  EXPECT_EQ(read_file(folder_ / "out" / "sweep.txt"), table);
}

TEST_F(Sweeps, TrainOnTheDeviceThatIsAskedFor) {
  SweepSettings s = settings("out", {"train.lr=3e-3"});
  s.device = "cpu-operators";
  EXPECT_TRUE(run_sweep(s, stop_).complete());
  EXPECT_EQ(load_checkpoint(folder_ / "out/lr=3e-3" / kCheckpointName).notes.at("device"), s.device);
}

TEST_F(Sweeps, EndAsTheTrainingsByThemselves) {
  run_sweep(settings("out", {"train.lr=3e-3"}), stop_);
  TrainSettings alone = training_of(load_experiment(folder_ / "out/lr=3e-3/config.toml"), 0);
  alone.data = {{{folder_ / "data"}, 1}};
  alone.out = folder_ / "alone";
  const TrainSummary summary = train(alone, stop_);
  EXPECT_EQ(results("out")["trainings"][0]["best"]["validation_loss"], summary.best_validation_loss);
}

TEST_F(Sweeps, GoOnWhereTheyWereStopped) {
  SweepSettings s = settings("broken", {"train.lr=3e-3,1e-3", "train.batch=64,128"});
  int sessions = 0;
  bool complete = false;
  std::set<std::string> states;
  while (!complete) {
    ASSERT_LT(++sessions, 1000);
    std::atomic<bool> stop{false};
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(40 + 5 * sessions));
      stop = true;
    });
    const SweepOutcome outcome = run_sweep(s, stop);
    complete = std::all_of(outcome.results.begin(), outcome.results.end(),
                           [](const auto& r) { return r.state == SweepResult::State::Finished; });
    const nlohmann::json noted = results("broken");
    for (const auto& training : noted["trainings"]) states.insert(training["state"].get<std::string>());
  }
  EXPECT_GT(sessions, 1);
  EXPECT_TRUE(states.contains("waiting"));
  s.out = folder_ / "whole";
  run_sweep(s, stop_);
  const nlohmann::json whole = results("whole")["trainings"], broken = results("broken")["trainings"];
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(whole[i]["best"]["validation_loss"], broken[i]["best"]["validation_loss"]);
}

TEST_F(Sweeps, DoNotTrainAgainWhatIsFinished) {
  const SweepSettings s = settings("out", {"train.lr=3e-3,1e-3"});
  run_sweep(s, stop_);
  const std::string checkpoint = read_file(folder_ / "out/lr=3e-3" / kCheckpointName);
  const auto before = results("out");
  run_sweep(s, stop_);
  EXPECT_EQ(results("out"), before);
  EXPECT_EQ(read_file(folder_ / "out/lr=3e-3" / kCheckpointName), checkpoint);
}

TEST_F(Sweeps, StoppedBeforeTheyTrainLeaveTheResultsOfAnEarlierCall) {
  const SweepSettings s = settings("out", {"train.lr=3e-3,1e-3"});
  run_sweep(s, stop_);
  const std::string json = read_file(folder_ / "out/sweep.json"),
                    table = read_file(folder_ / "out/sweep.txt");
  stop_ = true;
  EXPECT_FALSE(run_sweep(s, stop_).complete());
  EXPECT_EQ(read_file(folder_ / "out/sweep.json"), json);
  EXPECT_EQ(read_file(folder_ / "out/sweep.txt"), table);
}

TEST_F(Sweeps, OfDataThatAreNotThereBindNobody) {
  SweepSettings s = settings("out", {"train.lr=3e-3"});
  s.data = {{{folder_ / "none"}, 1}};
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "none"));
  s = settings("out", {"train.lr=3e-3"});
  s.experiment = small_experiment("weight_decay = 0.02\n");
  EXPECT_TRUE(run_sweep(s, stop_).complete());
}

TEST_F(Sweeps, LossesDifferOnlyWhereWhatTheyMeasureVaries) {
  const auto table = [&](const std::string& out, const std::vector<std::string>& axes) {
    return sweep_table(run_sweep(settings(out, axes), stop_));
  };
  EXPECT_TRUE(has(table("same", {"train.loss=cross_entropy", "train.lr=3e-3,1e-3"}), "lowest loss"));
  EXPECT_TRUE(has(table("other", {"train.loss=cross_entropy,squared_error"}), "in different ways"));
}

TEST_F(Sweeps, OfAnotherConfigurationOrGenerationAreRefusedInAFolder) {
  SweepSettings s = settings("out", {"train.lr=3e-3"});
  run_sweep(s, stop_);
  const auto before = results("out");
  s.generation = 1;
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "begun with another --generation"));
  s.generation = 0;
  s.experiment = small_experiment("weight_decay = 0.02\n");
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "begun with another configuration"));
  EXPECT_EQ(results("out"), before);
  // More values of the same sweep are welcome.
  s = settings("out", {"train.lr=3e-3,1e-3"});
  EXPECT_EQ(run_sweep(s, stop_).results[0].training.seconds, before["trainings"][0]["seconds"].get<double>());
}

TEST_F(Sweeps, OtherFiltersOfTheSameGamesAreMoreValuesOfTheSameSweep) {
  run_sweep(settings("out", {"train.filters.noisy=true"}), stop_);
  const SweepOutcome more = run_sweep(settings("out", {"train.filters.noisy=false,true"}), stop_);
  EXPECT_TRUE(more.complete());
}

TEST_F(Sweeps, OfOtherDataAreRefusedInAFolderAndLoseNothing) {
  SweepSettings s = settings("out", {"train.lr=3e-3"});
  run_sweep(s, stop_);
  const auto before = results("out");
  ShardInfo info;
  info.variant = Variant::Knightmate;
  write_shard(folder_ / "data" / shard_name(1), info,
              std::vector{random_game_of(Variant::Knightmate, 12345)});
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "begun with other data"));
  EXPECT_EQ(results("out"), before);
}

TEST_F(Sweeps, NoteATrainingThatFailsAndGoOn) {
  // No game is that long, so that no position is left to learn from.
  SweepSettings s = settings("out", {"train.filters.first_plies=500,0"});
  const SweepOutcome outcome = run_sweep(s, stop_);
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(outcome.results[0].state, SweepResult::State::Failed);
  EXPECT_EQ(outcome.results[1].state, SweepResult::State::Finished);
  const std::string table = sweep_table(outcome);
  EXPECT_TRUE(has(table, "first_plies=500 failed: ")) << table;
  EXPECT_TRUE(has(table, "different positions")) << table;
}

TEST_F(Sweeps, TellElo) {
  SweepSettings s = settings("out", {"train.lr=3e-3,1e-3,3e-4"});
  s.elo = true;
  s.nodes = 40;
  s.games = 8;
  const SweepOutcome outcome = run_sweep(s, stop_);
  EXPECT_TRUE(outcome.results[0].is_reference);
  for (std::size_t i : {1U, 2U}) {
    ASSERT_TRUE(outcome.results[i].elo.has_value());
    EXPECT_EQ(outcome.results[i].elo->games.games(), 8);
  }
  EXPECT_TRUE(has(sweep_table(outcome), "reference"));
  EXPECT_EQ(results("out")["trainings"][0]["elo"], "reference");
  EXPECT_TRUE(results("out")["trainings"][1]["elo"].contains("error"));

  s.against = "material";
  EXPECT_EQ(run_sweep(s, stop_).results[0].elo->games.games(), 8);
}

TEST(SweepTable, TellsNoErrorWhereNoneIsKnown) {
  SweepOutcome outcome;
  outcome.points = plan_sweep(small_experiment(), {parse_sweep_axis("train.lr=3e-3")}, 1);
  outcome.results.resize(1);
  outcome.results[0].elo =
      SweepElo{.games = {.wins = 0, .draws = 1, .losses = 1}, .elo = -190.8, .error = {}};
  EXPECT_TRUE(has(sweep_table(outcome), "-190.8 of +0 =1 -1")) << sweep_table(outcome);
}

TEST_F(Sweeps, GoOnWithTheOtherMatchesWhereAJournalIsDamaged) {
  SweepSettings s = settings("out", {"train.lr=3e-3,1e-3"});
  s.elo = true;
  s.against = "material";
  s.nodes = 40;
  s.games = 8;
  run_sweep(s, stop_);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out/lr=3e-3"))
    if (entry.path().extension() == ".jsonl" && entry.path().filename().string().starts_with("elo-"))
      write_file_whole(entry.path(), "no journal\n" + read_file(entry.path()));
  const SweepOutcome outcome = run_sweep(s, stop_);
  EXPECT_FALSE(outcome.complete());
  EXPECT_FALSE(outcome.results[0].fault.empty());
  EXPECT_EQ(outcome.results[1].elo->games.games(), 8);
}

TEST_F(Sweeps, RefuseAMatchThatCannotBeBeforeTheyTrain) {
  SweepSettings s = settings("out", {"train.lr=3e-3"});
  s.elo = true;
  s.games = 7;
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "even number"));
  s.games = 8;
  s.against = (folder_ / "none.fnn").string();
  EXPECT_TRUE(has(error_of([&] { run_sweep(s, stop_); }), "none.fnn"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(Sweeps, MeansOverSeedsComeWithTheirSpread) {
  SweepSettings s = settings("out", {"train.lr=3e-3,1e-3"});
  s.seeds = 2;
  const std::string table = sweep_table(run_sweep(s, stop_));
  EXPECT_TRUE(has(table, "over seeds")) << table;
  EXPECT_TRUE(has(table, "+-")) << table;
}

/// Starts `farrier sweep` with its output in log.txt.
pid_t start_sweep(const std::filesystem::path& folder, const std::vector<std::string>& more) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const std::string log = (folder / "log.txt").string();
  std::ignore = freopen(log.c_str(), "a", stdout);
  std::ignore = freopen(log.c_str(), "a", stderr);
  std::vector<std::string> words{std::string(FARRIER_BIN_DIR) + "/farrier",
                                 "sweep",
                                 (folder / "small.toml").string(),
                                 "--data",
                                 (folder / "data").string(),
                                 "--out",
                                 (folder / "out").string()};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

int exit_status(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Sweeps, TheProgramGoesOnAfterAnInterruptAndAKill) {
  write_file_whole(folder_ / "small.toml", small_experiment().text);
  const std::vector<std::string> call{
      "--set", "train.lr=3e-3,1e-3", "--set", "train.epochs=30", "--elo", "--games", "4", "--nodes", "30"};
  // One signal once something is trained, the other one soon after the next start.
  pid_t pid = start_sweep(folder_, call);
  while (!std::filesystem::exists(folder_ / "out/lr=3e-3,epochs=30" / kMetricsName)) {
    ASSERT_EQ(waitpid(pid, nullptr, WNOHANG), 0) << read_file(folder_ / "log.txt");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(pid, SIGINT);
  EXPECT_TRUE(exit_status(pid) == 0 || has(read_file(folder_ / "log.txt"), "goes on from here"));
  pid = start_sweep(folder_, call);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  kill(pid, SIGKILL);
  exit_status(pid);

  ASSERT_EQ(exit_status(start_sweep(folder_, call)), 0) << read_file(folder_ / "log.txt");
  const nlohmann::json all = results("out")["trainings"];
  ASSERT_EQ(all.size(), 2U);
  for (const auto& training : all) EXPECT_EQ(training["state"], "finished");
  EXPECT_EQ(all[1]["elo"]["wins"].get<int>() + all[1]["elo"]["draws"].get<int>() +
                all[1]["elo"]["losses"].get<int>(),
            4);
}

TEST_F(Sweeps, BeginWithTheNetThatIsGiven) {
  run_sweep(settings("teacher", {"train.lr=3e-3"}), stop_);
  SweepSettings pupils = settings("pupils", {"train.lr=1e-5,5e-6"});
  pupils.from = folder_ / "teacher" / "lr=3e-3";
  ASSERT_TRUE(run_sweep(pupils, stop_).complete());
  const double taught = results("teacher")["trainings"][0]["best"]["validation_loss"];
  const auto pupils_results = results("pupils");
  for (const auto& training : pupils_results.at("trainings"))
    EXPECT_LT(std::abs(training["best"]["validation_loss"].get<double>() - taught), 0.1 * taught)
        << "rates so small leave it nearly as it was";
  SweepSettings narrower = settings("narrower", {"net.hidden=32,16"});
  narrower.from = folder_ / "pupils" / "lr=1e-5";
  EXPECT_TRUE(run_sweep(narrower, stop_).complete());
  narrower.from = folder_ / "narrower" / "hidden=32";
  narrower.out = folder_ / "impossible";
  EXPECT_TRUE(has(error_of([&] { run_sweep(narrower, stop_); }), "set net.hidden to 32 or more"));
  EXPECT_FALSE(std::filesystem::exists(narrower.out));
  pupils.from.reset();
  EXPECT_TRUE(has(error_of([&] { run_sweep(pupils, stop_); }), "another --from"));
}

TEST_F(Sweeps, AFolderOfATrainingIsRefusedAndLeftAsItWas) {
  std::filesystem::create_directories(folder_ / "out");
  write_file_whole(folder_ / "out" / kCheckpointName, "a checkpoint");
  const std::string error = error_of([&] { run_sweep(settings("out", {"train.lr=1e-3,5e-4"}), stop_); });
  EXPECT_TRUE(has(error, "is the folder of a training or a run")) << error;
  const auto files = std::filesystem::directory_iterator(folder_ / "out");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(Sweeps, TheProgramRefusesAMisspeltKeyAndTouchesNothing) {
  write_file_whole(folder_ / "small.toml", small_experiment().text);
  EXPECT_EQ(exit_status(start_sweep(folder_, {"--set", "train.lr=1e-3", "--set", "train.bacth=64"})), 2);
  EXPECT_TRUE(has(read_file(folder_ / "log.txt"), "did you mean 'batch'?"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  EXPECT_EQ(exit_status(start_sweep(folder_, {"--games", "4"})), 2);
}

}  // namespace
}  // namespace farrier
