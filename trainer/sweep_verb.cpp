#include "trainer/sweep_verb.h"

#include <memory>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "trainer/sweep.h"

namespace farrier {
namespace {

struct SweepCall {
  std::string config;
  std::vector<std::string> data;
  std::vector<std::string> axes;
  SweepSettings settings;
};

int run(SweepCall& call, std::atomic<bool>& stop) {
  SweepSettings& settings = call.settings;
  settings.experiment = load_experiment(call.config);
  for (const std::string& axis : call.axes) settings.axes.push_back(parse_sweep_axis(axis));
  settings.data.push_back({{call.data.begin(), call.data.end()}, 1});
  const SweepOutcome outcome = run_sweep(settings, stop);
  fmt::print("{}\n", sweep_table(outcome));
  if (outcome.stopped) {
    fmt::print(stderr, "stopped; the same command goes on from here\n");
  } else {
    fmt::print("{}: the same as sweep.txt and sweep.json; a folder for each training\n",
               settings.out.string());
  }
  return outcome.complete() ? 0 : 1;
}

}  // namespace

void add_sweep_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop) {
  auto call = std::make_shared<SweepCall>();
  SweepSettings& s = call->settings;
  CLI::App* verb = app.add_subcommand(
      "sweep", "Trains every combination of some settings on the same data, and compares them in a table");
  verb->add_option("config", call->config, "Experiment file (TOML)")->required();
  verb->add_option("--data", call->data, "Folders of shards, or shards")->required();
  verb->add_option("--out", s.out, "Folder; each training gets one in it, named by its settings")->required();
  verb->add_option("--set", call->axes,
                   "KEY=VALUE,VALUE,...: a key of the experiment, such as train.lr=1e-3,5e-4; may "
                   "be repeated")
      ->expected(1)
      ->take_all();
  verb->add_option("--seeds", s.seeds, "Trains each combination with that many seeds")
      ->check(CLI::Range(1, 1000));
  verb->add_option("--generation", s.generation, "Whose per-generation settings hold (from 0)")
      ->check(CLI::Range(0, kMostGenerations));
  CLI::Option* from = verb->add_option("--from", s.from,
                                       "Begin every training with this net, as `farrier train --from` does");
  verb->add_flag("--keep-optimizer", s.keep_optimizer,
                 "... and with the optimiser's state of that checkpoint")
      ->needs(from);
  add_device_option(*verb, s.device);
  CLI::Option* elo =
      verb->add_flag("--elo", s.elo, "Plays each net against the first one, for Elo with its error");
  verb->add_option("--against", s.against, "With --elo: against this net file, or \"material\"")->needs(elo);
  verb->add_option("--nodes", s.nodes, "With --elo: nodes a move; [gate].nodes unless given")
      ->needs(elo)
      ->check(CLI::Range(1, 1'000'000'000));
  verb->add_option("--games", s.games, "With --elo: games a net, even; [gate].games unless given")
      ->needs(elo)
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1'000'000'000}));
  verb->footer(
      "Killed or interrupted at any moment, the same command goes on where it was; what is finished is not "
      "trained "
      "again.\n"
      "farrier sweep configs/crazyhouse.toml --data runs/crazyhouse/gen-001/data --out sweeps/lr --set "
      "train.lr=2e-3,1e-3,5e-4 --seeds 3 --elo --games 200");
  verb->callback([call, &todo, &stop] { todo = [call, &stop] { return run(*call, stop); }; });
}

}  // namespace farrier
