#include "trainer/pipeline.h"

#include <signal.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "engine/base/files.h"
#include "tests/trainer/random_float_net.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint.h"
#include "trainer/quantise.h"

namespace farrier {
namespace {

/// A few seconds a generation.
std::string tiny_experiment(const std::string& name, const std::string& variant, int generations = 2) {
  return "name = \"" + name + "\"\nvariant = \"" + variant + R"("
[selfplay]
soft_nodes = 30
positions = 2500
games_per_shard = 10
workers = 2
[net]
hidden = 16
[train]
epochs = 2
batch = 128
threads = 1
validation_share = 0.3
[gate]
nodes = 40
games = 8
[run]
generations = )" +
         std::to_string(generations) + "\n";
}

/// Starts `farrier run` quietly.
pid_t start_run(const std::filesystem::path& config, const std::filesystem::path& runs) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const std::string log = (runs / "log.txt").string();
  std::ignore = freopen(log.c_str(), "a", stdout);
  std::ignore = freopen(log.c_str(), "a", stderr);
  const std::string program = std::string(FARRIER_BIN_DIR) + "/farrier";
  execl(program.c_str(), program.c_str(), "run", config.c_str(), "--runs", runs.c_str(), nullptr);
  _exit(127);
}

int wait_for(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

class Loop : public FolderTest {
 protected:
  std::filesystem::path write_config(const std::string& name, const std::string& variant) {
    const std::filesystem::path path = folder_ / (name + ".toml");
    write_file_whole(path, tiny_experiment(name, variant));
    return path;
  }

  /// Net files and gate journals of a run, by their place in it.
  static std::map<std::string, std::string> products(const std::filesystem::path& run) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run))
      if (const std::string ending = entry.path().extension(); ending == ".fnn")
        files[entry.path().lexically_relative(run).string()] = read_file(entry.path());
    return files;
  }
};

TEST_F(Loop, TurnsTwoGenerationsInEveryVariant) {
  for (Variant variant : kAllVariants) {
    const std::string name(variant_name(variant));
    std::atomic<bool> stop{false};
    const Experiment experiment = load_experiment(write_config(name, name));
    ASSERT_TRUE(run_loop(experiment, folder_ / name, stop));
    const RunState state = load_state(folder_ / name);
    ASSERT_EQ(state.generations.size(), 2U);
    for (const GenerationState& generation : state.generations) {
      EXPECT_GE(generation.data->positions, 2500U);
      EXPECT_EQ(generation.training->hidden, 16);
      EXPECT_EQ(generation.gate->wins + generation.gate->draws + generation.gate->losses, 8);
    }
    EXPECT_EQ(state.generations[0].player, "material");
    const std::string best = state.generations[0].gate->won ? state.generations[0].net : "material";
    EXPECT_EQ(state.generations[1].player, best);
    EXPECT_EQ(products(folder_ / name).size(), 2U);
    const auto proof = nlohmann::json::parse(read_file(folder_ / name / "gen-001" / "proof.json"));
    EXPECT_EQ(proof.at("net"), state.generations[1].net);
    EXPECT_GE(proof.at("engine_proof_positions"), 10'000);
    EXPECT_NE(run_summary(state, folder_ / name).find("gen 1: "), std::string::npos);
  }
}

TEST_F(Loop, KilledAgainAndAgainEndsWithTheSameNets) {
  const auto whole = folder_ / "whole";
  const auto broken = folder_ / "broken";
  std::filesystem::create_directories(whole);
  std::filesystem::create_directories(broken);
  const std::filesystem::path config = write_config("run", "knightmate");
  ASSERT_EQ(wait_for(start_run(config, whole)), 0) << read_file(whole / "log.txt");

  Rng rng(4);
  int kills = 0;
  for (int start = 0; start < 12; ++start) {
    const pid_t pid = start_run(config, broken);
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + rng.below(250)));
    kill(pid, SIGKILL);
    if (wait_for(pid) == 0) break;
    ++kills;
  }
  EXPECT_GE(kills, 2);
  ASSERT_EQ(wait_for(start_run(config, broken)), 0) << read_file(broken / "log.txt");
  EXPECT_EQ(products(broken / "run"), products(whole / "run"));
  EXPECT_EQ(products(broken / "run").size(), 2U);
}

TEST_F(Loop, StoppedRunSaysSoAndGoesOn) {
  std::filesystem::create_directories(folder_ / "runs");
  const std::filesystem::path config = write_config("run", "chess");
  const pid_t pid = start_run(config, folder_ / "runs");
  while (!std::filesystem::exists(folder_ / "runs" / "run" / "state.json")) {
    ASSERT_EQ(waitpid(pid, nullptr, WNOHANG), 0) << read_file(folder_ / "runs" / "log.txt");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(pid, SIGINT);
  const int status = wait_for(pid);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) != 0) {
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_NE(read_file(folder_ / "runs" / "log.txt").find("goes on from here"), std::string::npos);
  }
  EXPECT_EQ(wait_for(start_run(config, folder_ / "runs")), 0);
}

TEST_F(Loop, TrainsOnTheDeviceThatIsAskedFor) {
  std::atomic<bool> stop{false};
  const std::string text = tiny_experiment("run", "chess", 1);
  EXPECT_TRUE(
      run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop, {.device = "cpu-operators"}));
  EXPECT_EQ(load_checkpoint(folder_ / "run/gen-000/train" / kCheckpointName).notes.at("device"),
            "cpu-operators");
}

TEST_F(Loop, GoesOnFromANetThatGenerationZeroHasToBeat) {
  std::atomic<bool> stop{false};
  const std::filesystem::path net = folder_ / "published.fnn";
  write_net(*quantise(random_net(Variant::Chess, 16, 6), Variant::Chess, 300), net);
  const std::string source = "[selfplay]\nfirst_net = \"" + net.string() + "\"";
  std::string text = tiny_experiment("run", "chess", 1);
  text.replace(text.find("[selfplay]"), 10, source);

  std::string knightmate = text;
  knightmate.replace(knightmate.find("\"chess\""), 7, "\"knightmate\"");
  EXPECT_NE(error_of([&] {
              run_loop(parse_experiment(knightmate, "run.toml"), folder_ / "run", stop);
            }).find("is a net for chess, and this run is for knightmate"),
            std::string::npos);

  stop = true;
  EXPECT_FALSE(run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop));
  stop = false;
  std::filesystem::remove(net);
  ASSERT_TRUE(run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop));
  const GenerationState generation = load_state(folder_ / "run").generations.at(0);
  EXPECT_EQ(generation.player, "published.fnn");
  EXPECT_EQ(read_net(folder_ / "run/gen-000" / generation.net).notes.at("parent"), "published.fnn");
  const std::string gate = read_file(folder_ / "run/gen-000/gate.jsonl");
  EXPECT_NE(gate.find("published"), std::string::npos) << gate;
}

TEST_F(Loop, FolderOfAnotherExperimentIsRefused) {
  std::atomic<bool> stop{true};
  const std::string text = tiny_experiment("run", "chess");
  run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop);
  const std::string other = "seed = 5\n" + text;
  EXPECT_NE(error_of([&] {
              run_loop(parse_experiment(other, "run.toml"), folder_ / "run", stop);
            }).find("another configuration"),
            std::string::npos);
  const std::string longer = tiny_experiment("run", "chess", 9);
  EXPECT_FALSE(run_loop(parse_experiment(longer, "run.toml"), folder_ / "run", stop));
}

TEST_F(Loop, WhatNothingWasMadeOfMayStillBeChanged) {
  std::atomic<bool> stop{false};
  const std::string text = tiny_experiment("run", "chess", 1);
  // Too few games to be split: told when they are played, and to be mended in [train].
  std::string unsplit = text;
  unsplit.replace(unsplit.find("validation_share = 0.3"), 22, "validation_share = 0.001");
  EXPECT_NE(error_of([&] {
              run_loop(parse_experiment(unsplit, "run.toml"), folder_ / "run", stop);
            }).find("validation_share"),
            std::string::npos);
  ASSERT_TRUE(run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop));
  EXPECT_NE(error_of([&] {
              run_loop(parse_experiment(unsplit, "run.toml"), folder_ / "run", stop);
            }).find("another configuration"),
            std::string::npos);
}

TEST_F(Loop, AChangeOnTheWayHoldsFromTheGenerationInHandOn) {
  std::atomic<bool> stop{false};
  ASSERT_TRUE(
      run_loop(parse_experiment(tiny_experiment("run", "chess", 1), "run.toml"), folder_ / "run", stop));
  std::string wider = tiny_experiment("run", "chess", 2);
  wider.replace(wider.find("hidden = 16"), 11, "hidden = 32");
  const Experiment changed = parse_experiment(wider, "run.toml");
  EXPECT_TRUE(has(error_of([&] { run_loop(changed, folder_ / "run", stop); }),
                  "(net.hidden: then 16, now 32); give the experiment another name, or --change"));
  ASSERT_TRUE(run_loop(changed, folder_ / "run", stop, {.change = true}));
  ASSERT_TRUE(run_loop(changed, folder_ / "run", stop));
  const RunState state = load_state(folder_ / "run");
  EXPECT_EQ(state.generations.at(0).training->hidden, 16);
  EXPECT_EQ(state.generations.at(1).training->hidden, 32);
  const std::string summary = run_summary(state, folder_ / "run");
  const std::size_t told = summary.find("  changed: net.hidden: then 16, now 32\n");
  EXPECT_LT(summary.find("gen 0: "), told) << summary;
  EXPECT_LT(told, summary.find("gen 1: ")) << summary;
}

TEST_F(Loop, AnotherFirstNetBeforeTheFirstGamesIsThePlayer) {
  std::atomic<bool> stop{false};
  const std::string text = tiny_experiment("run", "chess", 1);
  RunState state;
  state.name = "run";
  state.generations.emplace_back().player = "material";  // stopped before a game had ended
  std::filesystem::create_directory(folder_ / "run");
  save_state(state, folder_ / "run");
  const std::filesystem::path net = folder_ / "published.fnn";
  write_net(*quantise(random_net(Variant::Chess, 16, 6), Variant::Chess, 300), net);
  std::string with_net = text;
  with_net.replace(with_net.find("[selfplay]"), 10, "[selfplay]\nfirst_net = \"" + net.string() + "\"");
  ASSERT_TRUE(run_loop(parse_experiment(with_net, "run.toml"), folder_ / "run", stop));
  EXPECT_EQ(load_state(folder_ / "run").generations.at(0).player, "published.fnn");
}

TEST_F(Loop, AFinishedFinalMatchOfTheBestNetStandsWhateverChangesLater) {
  std::atomic<bool> stop{false};
  const std::string text = tiny_experiment("run", "chess", 1);
  ASSERT_TRUE(run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop));
  RunState state = load_state(folder_ / "run");
  state.best = 0;  // whatever its match said
  save_state(state, folder_ / "run");
  ASSERT_TRUE(run_loop(parse_experiment(text, "run.toml"), folder_ / "run", stop));
  const std::string journal = read_file(folder_ / "run/final-000.jsonl");
  std::string changed = text;
  changed.replace(changed.find("nodes = 40"), 10, "nodes = 50");
  ASSERT_TRUE(run_loop(parse_experiment(changed, "run.toml"), folder_ / "run", stop, {.change = true}));
  state = load_state(folder_ / "run");
  EXPECT_TRUE(state.has_final_match());
  EXPECT_EQ(state.gate_nodes, 40);
  EXPECT_EQ(read_file(folder_ / "run/final-000.jsonl"), journal);
}

TEST_F(Loop, AShardThatWasDeletedIsPlayedAgain) {
  std::atomic<bool> stop{false};
  const std::string text = tiny_experiment("run", "chess", 1);
  const Experiment experiment = parse_experiment(text, "run.toml");
  ASSERT_TRUE(run_loop(experiment, folder_ / "run", stop));
  const auto whole = products(folder_ / "run");
  const std::filesystem::path generation = folder_ / "run/gen-000";
  for (std::uint64_t shard : {std::uint64_t{0}, std::uint64_t{1}}) {
    ASSERT_TRUE(std::filesystem::remove(generation / "data" / shard_name(shard)));
    RunState state = load_state(folder_ / "run");
    state.generations[0].training.reset();
    state.generations[0].net.clear();
    state.generations[0].gate.reset();
    state.best = -1;
    save_state(state, folder_ / "run");
    for (const char* made : {"train", "gate.jsonl"}) std::filesystem::remove_all(generation / made);
    ASSERT_TRUE(run_loop(experiment, folder_ / "run", stop));
    EXPECT_EQ(products(folder_ / "run"), whole) << shard;
  }
}

TEST_F(Loop, ANetFileThatIsGoneIsMadeAgainOrItsPlaceTold) {
  const Experiment experiment = parse_experiment(tiny_experiment("gone", "knightmate", 1), "gone.toml");
  const std::filesystem::path run = folder_ / "gone";
  std::atomic<bool> stop{false};
  ASSERT_TRUE(run_loop(experiment, run, stop));
  RunState state = load_state(run);
  state.best = 0;  // whatever its match said
  save_state(state, run);
  const std::filesystem::path net = best_net(state, run);
  const std::string bytes = read_file(net);
  std::filesystem::remove(net);
  ASSERT_TRUE(run_loop(experiment, run, stop));
  EXPECT_EQ(read_file(net), bytes);

  std::filesystem::remove(net);
  std::filesystem::remove_all(run / "gen-000" / "train");
  const std::string error = error_of([&] { run_loop(experiment, run, stop); });
  EXPECT_EQ(error.find(net.string() + ": is gone and can't be made again"), 0u) << error;
}

TEST_F(Loop, UnwritableFolderIsToldInASentence) {
  std::atomic<bool> stop{false};
  write_file_whole(folder_ / "plain", "a file");
  const Experiment experiment = parse_experiment(tiny_experiment("run", "chess"), "run.toml");
  EXPECT_NE(error_of([&] {
              run_loop(experiment, folder_ / "plain" / "run", stop);
            }).find("plain/run: cannot make this folder"),
            std::string::npos);
}

TEST_F(Loop, DamagedStateIsRefused) {
  std::atomic<bool> stop{true};
  run_loop(parse_experiment(tiny_experiment("run", "chess"), "run.toml"), folder_ / "run", stop);
  write_file_whole(folder_ / "run" / "state.json", "{\"best\": 3}");
  EXPECT_NE(error_of([&] { load_state(folder_ / "run"); }).find("is damaged"), std::string::npos);
  RunState state;
  state.best = -7;
  save_state(state, folder_ / "run");
  EXPECT_NE(error_of([&] { load_state(folder_ / "run"); }).find("remove this file alone"), std::string::npos);
  state.best = -1;
  state.generations.resize(2);  // the first one without a match
  save_state(state, folder_ / "run");
  EXPECT_TRUE(has(error_of([&] { load_state(folder_ / "run"); }), "a generation lacks a stage"));
}

}  // namespace
}  // namespace farrier
