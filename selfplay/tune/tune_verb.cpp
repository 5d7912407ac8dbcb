#include "selfplay/tune/tune_verb.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/number.h"
#include "engine/nnue/default_nets.h"
#include "engine/search/search_params.h"
#include "selfplay/games/option_checks.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/tune/tuner.h"

namespace farrier {
namespace {

struct TuneCall {
  std::vector<std::string> variants;
  std::vector<std::string> params;
  std::vector<std::string> start;
  std::int64_t games = 10000;
  std::uint64_t nodes = 1000;
  TuneSettings settings;
  bool list = false;
};

const Tunable& tunable_of(std::string_view name) {
  const auto found =
      std::find_if(kTunables.begin(), kTunables.end(), [&](const Tunable& t) { return t.name == name; });
  if (found == kTunables.end())
    throw WrongCall("tune: " + std::string(name),
                    "the search has no such parameter; `farrier tune --list` tells them");
  return *found;
}

/// The parameters that both players start from: the defaults, with "name=value" for others.
SearchParams start_of(const std::vector<std::string>& texts) {
  SearchParams params;
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const Tunable& tunable = tunable_of(std::string_view(text).substr(0, equals));
    const auto value = to_number(std::string_view(text).substr(std::min(equals + 1, text.size())));
    if (!value || *value < tunable.low || *value > tunable.high)
      throw WrongCall("--start " + text, fmt::format("must be {}=VALUE with a whole number from {} to {}",
                                                     tunable.name, tunable.low, tunable.high));
    params.*tunable.value = static_cast<int>(*value);
  }
  return params;
}

/// "name" or "name=step".
SpsaParameter parameter_of(const SearchParams& start, const std::string& text) {
  const std::size_t equals = text.find('=');
  const Tunable& tunable = tunable_of(std::string_view(text).substr(0, equals));
  SpsaParameter parameter{.name = std::string(tunable.name),
                          .value = static_cast<double>(start.*tunable.value),
                          .low = tunable.low,
                          .high = tunable.high,
                          .step = std::max(1.0, (tunable.high - tunable.low) / 20.0)};
  if (equals == std::string::npos) return parameter;
  const auto step = to_number(text.substr(equals + 1));
  if (!step || *step < 1 || *step > tunable.high - tunable.low)
    throw WrongCall("--param " + text, "the step must be a whole number from 1 to the parameter's range");
  parameter.step = static_cast<double>(*step);
  return parameter;
}

void list_tunables() {
  fmt::print("{:32}{:>8}{:>8}{:>8}\n", "parameter", "value", "low", "high");
  for (const Tunable& t : kTunables)
    fmt::print("{:32}{:8}{:8}{:8}\n", t.name, SearchParams().*t.value, t.low, t.high);
}

TuneSettings settings_of(const TuneCall& call) {
  TuneSettings settings = call.settings;
  if (call.games < 2 || call.games % 2 != 0) throw WrongCall("--games", "must be an even number from 2 on");
  settings.schedule.pairs = call.games / 2;
  const SearchParams start = start_of(call.start);
  for (const std::string& name : call.variants) {
    const auto variant = variant_from_name(name);
    if (!variant)
      throw WrongCall("--variant " + name,
                      "there is no such variant; choose one of " + std::string(variant_names()));
    PlayerSpec base;
    base.net = default_net(*variant).net;
    base.hard_nodes = call.nodes;
    base.params = start;
    settings.variants.push_back(*variant);
    settings.bases.push_back(base);
  }
  if (call.params.empty())
    for (const Tunable& t : kTunables)
      settings.parameters.push_back(parameter_of(start, std::string(t.name)));
  for (const std::string& text : call.params) {
    const SpsaParameter parameter = parameter_of(start, text);
    for (const SpsaParameter& other : settings.parameters)
      if (other.name == parameter.name) throw WrongCall("--param " + text, "is given twice");
    settings.parameters.push_back(parameter);
  }
  if (!settings.state.empty()) require_writable(settings.state);
  settings.stop = &stop_on_signals();
  return settings;
}

std::string progress_text(const TuneProgress& now, const SpsaSchedule& schedule) {
  const double rate = static_cast<double>(now.pairs_this_session) / std::max(now.seconds_this_session, 1e-9);
  std::string text =
      fmt::format("{}/{} games, {:.1f} games/s, {} left", 2 * now.pairs_done, 2 * schedule.pairs, 2 * rate,
                  duration_text(static_cast<double>(schedule.pairs - now.pairs_done) / rate));
  for (const SpsaParameter& p : now.parameters) text += fmt::format(", {} {:.1f}", p.name, p.value);
  return text;
}

int run(const TuneCall& call) {
  if (call.list) {
    list_tunables();
    return 0;
  }
  if (call.variants.empty()) throw CLI::RequiredError("--variant");
  TuneSettings settings = settings_of(call);
  ProgressLine line;
  settings.on_progress = [&](const TuneProgress& now) {
    if (line.due()) line.show(progress_text(now, settings.schedule));
  };
  const TuneResult result = run_tuning(settings);
  line.finish();
  fmt::print("{:32}{:>8}{:>10}\n", "parameter", "was", "is");
  std::string player;
  for (const SpsaParameter& p : result.parameters) {
    const int was = SearchParams().*tunable_of(p.name).value;
    const int is = static_cast<int>(std::lround(p.value));
    fmt::print("{:32}{:8}{:10.1f}\n", p.name, was, p.value);
    if (is != was) player += fmt::format(" param.{}={}", p.name, is);
  }
  if (!result.complete) {
    fmt::print("Interrupted after {} games; {}\n", 2 * result.pairs,
               settings.state.empty() ? "without --state they are lost" : "the same command goes on");
    return 1;
  }
  fmt::print("Whether this is stronger, a match tells: farrier match --variant {} --a \"NET{}\" --b NET\n",
             variant_name(settings.variants[0]), player);
  return 0;
}

}  // namespace

void add_tune_verb(CLI::App& app) {
  auto call = std::make_shared<TuneCall>();
  CLI::App* verb = app.add_subcommand("tune", "Fits parameters of the search by games (SPSA)");
  verb->footer(
      "Every pair of games is played between two settings that differ in all parameters at once, and moves "
      "them all "
      "towards the winner. The nets are the variants' default ones.\n"
      "Example:\n"
      "farrier tune --variant crazyhouse --variant knightmate --param futility_margin --param "
      "reduction_base=40 "
      "--games 20000 --state tune.json");
  verb->add_option("--variant", call->variants, "The game; with several, pairs take turns");
  verb->add_option("--param", call->params,
                   "A parameter, with =STEP if its usual step is not meant; all unless given");
  verb->add_option("--start", call->start,
                   "NAME=VALUE: the value that a parameter starts from, if not its present one");
  verb->add_option("--games", call->games, "Games to play (even)")->capture_default_str();
  verb->add_option("--nodes", call->nodes, "Nodes a move")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str();
  verb->add_option("--rate", call->settings.schedule.rate,
                   "Share of a step by which one game moves a value at the end")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  verb->add_option("--seed", call->settings.seed, "The same seed fits the same values, whatever --workers")
      ->check(not_negative())
      ->capture_default_str();
  verb->add_option("--workers", call->settings.workers, "Games at a time; 0: one per core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_option("--state", call->settings.state, "Keeps the values; the same command goes on from it");
  verb->add_flag("--list", call->list, "Print all parameters and do nothing");
  verb->callback([call] {
    if (const int status = run(*call); status != 0) throw CLI::RuntimeError(status);
  });
}

}  // namespace farrier
