#include "trainer/train_verb.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "trainer/compare.h"
#include "trainer/export.h"
#include "trainer/metrics.h"
#include "trainer/train_loop.h"

namespace farrier {
namespace {

struct TrainCall {
  std::string config;
  std::vector<std::string> data;
  std::string out;
  int generation = 0;
  std::string from;
  bool keep_optimizer = false;
  std::string device = kCpuDevice;
  std::vector<std::string> compare;
};

int run_train(const TrainCall& call, std::atomic<bool>& stop) {
  TrainSettings settings = training_of(load_experiment(call.config), call.generation);
  settings.data.push_back({{call.data.begin(), call.data.end()}, 1});
  settings.out = call.out;
  if (!call.from.empty()) settings.from = call.from;
  settings.keep_optimizer = call.keep_optimizer;
  settings.device = call.device;
  const TrainSummary s = train(settings, stop);
  fmt::print(
      "{} after {} epochs, {:.0f} s: {} games, {} training positions, scale {} cp, score and result agree in "
      "{:.1f}%\n",
      s.finished ? "trained" : "stopped", s.epochs, s.seconds, s.games, s.training_positions, s.scale_cp,
      100 * s.coherence);
  if (s.best_epoch > 0) fmt::print("{}", validation_report(load_training_metrics(settings.out).best()));
  fmt::print("checkpoint: {}{}\n", s.checkpoint.string(),
             s.finished ? "" : " (the same command goes on from it)");
  return s.finished ? 0 : 1;
}

int run_compare(const TrainCall& call) {
  fmt::print("{}", compare_trainings(call.compare[0], call.compare[1]));
  return 0;
}

/// Throws CLI::ValidationError.
std::map<std::string, std::string> notes_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> notes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const bool is_name = key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (key.empty() || equals == std::string::npos || !is_name ||
        text.find_first_of("\r\n") != std::string::npos)
      throw CLI::ValidationError(
          "--note", fmt::format("'{}' is not key=VALUE in one line, the key of a-z, 0-9 and _", text));
    if (!notes.emplace(key, text.substr(equals + 1)).second)
      throw CLI::ValidationError("--note", fmt::format("'{}' is given twice", key));
  }
  return notes;
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
  CLI::Option* config = verb->add_option("config", call->config, "Experiment file (TOML)");
  CLI::Option* data = verb->add_option("--data", call->data, "Folders of shards, or shards");
  CLI::Option* out =
      verb->add_option("--out", call->out, "Folder for checkpoints, metrics.jsonl and TensorBoard's events");
  verb->add_option("--generation", call->generation, "Whose per-generation settings hold (from 0)")
      ->check(CLI::Range(0, kMostGenerations));
  CLI::Option* from = verb->add_option("--from", call->from,
                                       "Begin with this net: a .fnn file, a checkpoint or the folder of a "
                                       "training or a run; of any variant, and no "
                                       "larger than the new one");
  verb->add_flag("--keep-optimizer", call->keep_optimizer,
                 "... and with the optimiser's state of that checkpoint, whose net must be of the same shape")
      ->needs(from);
  add_device_option(*verb, call->device);
  CLI::Option* compare = verb->add_option(
      "--compare", call->compare,
      "Two trainings, by their folders or those of a generation or run: tells settings, losses, rates, "
      "phases and calibration side by side, and trains nothing");
  compare->expected(2);
  verb->callback([=, &todo, &stop] {
    const bool compares = compare->count() > 0;
    for (const CLI::Option* option : verb->get_options())
      if (compares && option != compare && option->count() > 0)
        throw CLI::ExcludesError("--compare", option->get_name());
    for (const CLI::Option* option : {config, data, out})
      if (!compares && option->count() == 0) throw CLI::RequiredError(option->get_name());
    todo = [call, &stop] { return call->compare.empty() ? run_train(*call, stop) : run_compare(*call); };
  });
}

void add_export_verb(CLI::App& app, std::function<int()>& todo) {
  auto settings = std::make_shared<ExportSettings>();
  auto source = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  CLI::App* verb =
      app.add_subcommand("export", "Writes a trained net as a quantised .fnn file, with its proof");
  verb->add_option("source", *source, "Checkpoint, or folder of a training or a run")->required();
  verb->add_option("--out", *out, "File (.fnn), or a folder: then named by its hash")->required();
  auto notes = std::make_shared<std::vector<std::string>>();
  verb->add_option("--note", *notes,
                   "KEY=VALUE that `farrier net info` then tells, as licence=CC0-1.0; repeat it");
  verb->callback([=, &todo] {
    settings->notes = notes_of(*notes);
    settings->source = *source;
    settings->out = *out;
    todo = [settings] { return run_export(*settings); };
  });
}

}  // namespace farrier
