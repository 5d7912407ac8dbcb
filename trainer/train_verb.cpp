#include "trainer/train_verb.h"

#include <memory>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "trainer/export.h"
#include "trainer/train_loop.h"

namespace farrier {
namespace {

struct TrainCall {
  std::string config;
  std::vector<std::string> data;
  std::string out;
  int generation = 0;
};

int run_train(const TrainCall& call, std::atomic<bool>& stop) {
  const Experiment experiment = load_experiment(call.config);
  TrainSettings settings;
  settings.variant = experiment.variant;
  settings.net = experiment.net;
  settings.config = experiment.train;
  settings.generation = call.generation;
  settings.seed = experiment.seed;
  settings.data.push_back({{call.data.begin(), call.data.end()}, 1});
  settings.out = call.out;
  const TrainSummary s = train(settings, stop);
  fmt::print(
      "{} after {} epochs, {:.0f} s: {} games, {} training positions, scale {} cp, score and result agree in "
      "{:.1f}%\n",
      s.finished ? "trained" : "stopped", s.epochs, s.seconds, s.games, s.training_positions, s.scale_cp,
      100 * s.coherence);
  if (s.best_epoch > 0)
    fmt::print("best epoch {}: validation loss {:.6f}\n", s.best_epoch, s.best_validation_loss);
  fmt::print("checkpoint: {}{}\n", s.checkpoint.string(),
             s.finished ? "" : " (the same command goes on from it)");
  return 0;
}

int run_export(const ExportSettings& settings) {
  const ExportSummary s = export_net(settings);
  fmt::print("{}: {}, {}, scale {} cp\n", s.file.string(), variant_name(s.variant), describe(s.architecture),
             s.scale_cp);
  fmt::print("sha256 {}\n", s.sha256);
  fmt::print("no overflow: accumulators stay within {}\n", s.largest_accumulator);
  fmt::print("the engine's integers equal the trainer's on {} positions\n", s.proved_positions);
  fmt::print("float against integer on {} positions: mean {:.2f} cp, 99% {:.2f} cp, worst {:.2f} cp\n",
             s.error.positions, s.error.mean_cp, s.error.p99_cp, s.error.worst_cp);
  return 0;
}

}  // namespace

void add_train_verb(CLI::App& app, std::function<int()>& todo, std::atomic<bool>& stop) {
  auto call = std::make_shared<TrainCall>();
  CLI::App* verb = app.add_subcommand("train", "Fits a net to recorded games; goes on where it was");
  verb->add_option("config", call->config, "Experiment file (TOML)")->required();
  verb->add_option("--data", call->data, "Folders of shards, or shards")->required();
  verb->add_option("--out", call->out, "Folder for checkpoint.pt and metrics.jsonl")->required();
  verb->add_option("--generation", call->generation, "Whose per-generation settings hold (from 0)")
      ->check(CLI::NonNegativeNumber);
  verb->callback([call, &todo, &stop] { todo = [call, &stop] { return run_train(*call, stop); }; });
}

void add_export_verb(CLI::App& app, std::function<int()>& todo) {
  auto settings = std::make_shared<ExportSettings>();
  auto source = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  CLI::App* verb =
      app.add_subcommand("export", "Writes a trained net as a quantised .fnn file, with its proof");
  verb->add_option("source", *source, "Checkpoint, or folder of a training or a run")->required();
  verb->add_option("--out", *out, "File (.fnn), or a folder: then named by its hash")->required();
  verb->callback([settings, source, out, &todo] {
    settings->source = *source;
    settings->out = *out;
    todo = [settings] { return run_export(*settings); };
  });
}

}  // namespace farrier
