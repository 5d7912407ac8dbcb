#include "trainer/run_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "trainer/pipeline.h"

namespace farrier {
namespace {

struct RunCall {
  std::string config;
  std::filesystem::path runs = "runs";
  RunSettings settings;
};

int run(const RunCall& call, std::atomic<bool>& stop) {
  const Experiment experiment = load_experiment(call.config);
  if (run_loop(experiment, call.runs / experiment.name, stop, call.settings)) return 0;
  fmt::print(stderr, "stopped; the same command goes on from here\n");
  return 1;
}

}  // namespace

void add_run_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop) {
  auto call = std::make_shared<RunCall>();
  CLI::App* verb = app.add_subcommand(
      "run", "The loop: generations of self-play, training, export and a match, until the budget is spent");
  verb->add_option("config", call->config, "Experiment file (TOML), as in configs/")->required();
  verb->add_option("--runs", call->runs, "Folder of runs; this one is its subfolder of the experiment's name")
      ->capture_default_str();
  verb->add_flag("--change", call->settings.change,
                 "Follow settings that were changed since the run began, in what is still to do");
  add_device_option(*verb, call->settings.device);
  verb->footer("Killed or interrupted at any moment, the same command goes on where it was.");
  verb->callback([call, &todo, &stop] { todo = [call, &stop] { return run(*call, stop); }; });
}

}  // namespace farrier
