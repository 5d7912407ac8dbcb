#include "trainer/run_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "trainer/pipeline.h"

namespace farrier {
namespace {

int run(const std::string& config, const std::string& runs, const std::string& device,
        std::atomic<bool>& stop) {
  const Experiment experiment = load_experiment(config);
  const std::filesystem::path folder = std::filesystem::path(runs) / experiment.name;
  if (run_loop(experiment, folder, stop, device)) return 0;
  fmt::print(stderr, "stopped; the same command goes on from here\n");
  return 1;
}

}  // namespace

void add_run_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop) {
  auto config = std::make_shared<std::string>();
  auto runs = std::make_shared<std::string>("runs");
  auto device = std::make_shared<std::string>(kCpuDevice);
  CLI::App* verb = app.add_subcommand(
      "run", "The loop: generations of self-play, training, export and a match, until the budget is spent");
  verb->add_option("config", *config, "Experiment file (TOML), as in configs/")->required();
  verb->add_option("--runs", *runs, "Folder of runs; this one is its subfolder of the experiment's name")
      ->capture_default_str();
  add_device_option(*verb, *device);
  verb->footer("Killed or interrupted at any moment, the same command goes on where it was.");
  verb->callback([=, &todo, &stop] {
    todo = [config, runs, device, &stop] { return run(*config, *runs, *device, stop); };
  });
}

}  // namespace farrier
