#include "selfplay/match/match_verb.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/variants/variant.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/match/match_report.h"
#include "selfplay/match/match_runner.h"

namespace farrier {
namespace {

/// The command line as it was typed.
struct MatchCall {
  std::string variant;
  std::string a, b;
  std::uint64_t nodes = 1000;
  bool soft = false;
  std::vector<double> sprt;  // elo0, elo1
  std::string sprt_model = "normalised";
  bool json = false;
  MatchSettings settings;
};

PlayerSpec player_of(const MatchCall& call, const std::string& name) {
  PlayerSpec spec = call.settings.a;  // for the options that both players share
  spec.name = name;
  if (name != "material")
    spec.net = std::make_shared<const Net>(read_net(name));
  else if (spec.material_noise_cp > 0)
    spec.name += fmt::format(" with {} cp of noise", spec.material_noise_cp);
  spec.hard_nodes = call.nodes;
  if (call.soft) {
    // An iteration that explodes is cut.
    spec.soft_nodes = call.nodes;
    spec.hard_nodes = 20 * call.nodes;
  }
  return spec;
}

Variant variant_of(const MatchCall& call, const PlayerSpec& a, const PlayerSpec& b) {
  if (call.variant.empty()) {
    if (a.net) return a.net->variant;
    if (b.net) return b.net->variant;
    throw CLI::RequiredError("--variant (material tells none)");
  }
  if (const std::optional<Variant> variant = variant_from_name(call.variant)) return *variant;
  throw UserError("--variant " + call.variant,
                  "there is no such variant; choose one of " + std::string(variant_names()));
}

/// A match that ended, or proved what it was asked to prove.
bool succeeded(const MatchSettings& settings, const MatchResult& result) {
  if (settings.sprt) return result.end == MatchEnd::AcceptedH1;
  return result.end == MatchEnd::AllPlayed;
}

void run(MatchCall& call) {
  MatchSettings& settings = call.settings;
  const PlayerSpec a = player_of(call, call.a);
  const PlayerSpec b = player_of(call, call.b);
  settings.variant = variant_of(call, a, b);
  settings.a = a;
  settings.b = b;
  if (!call.sprt.empty()) {
    settings.sprt.emplace();
    settings.sprt->elo0 = call.sprt.at(0);
    settings.sprt->elo1 = call.sprt.at(1);
    settings.sprt->model = call.sprt_model == "logistic" ? SprtModel::Logistic : SprtModel::Normalised;
  }
  settings.stop = &stop_on_signals();
  ProgressLine line;
  if (!call.json) {
    settings.on_progress = [&](const MatchProgress& progress) {
      if (line.due()) line.show(progress_text(progress, settings.sprt));
    };
  }
  const MatchResult result = run_match(settings);
  line.finish();
  if (call.json)
    fmt::print("{}\n", report_json(settings, result).dump(2));
  else
    fmt::print("{}", report_text(settings, result));
  if (!succeeded(settings, result)) throw CLI::RuntimeError(1);
}

}  // namespace

void add_match_verb(CLI::App& app) {
  auto call = std::make_shared<MatchCall>();
  MatchSettings& settings = call->settings;
  CLI::App* verb = app.add_subcommand("match", "Is A stronger than B? Paired games, Elo with error, SPRT");
  verb->footer(
      "Exit status: 0 if all games were played or, with --sprt, if A proved stronger; 1 if not, or "
      "interrupted; "
      "2 for a wrong call.\n"
      "Example: farrier match --a new.fnn --b old.fnn --nodes 2000 --games 4000 --sprt 0,10 --journal "
      "new.jsonl");
  verb->add_option("--a", call->a, "The player in question: a net file, or \"material\"")->required();
  verb->add_option("--b", call->b, "The opponent: likewise")->required();
  verb->add_option("--variant", call->variant, "The game; a net tells its own");
  verb->add_option("--nodes", call->nodes, "Nodes a move for either side")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str();
  verb->add_flag("--soft", call->soft, "Finish the iteration in which --nodes is reached");
  verb->add_option("--games", settings.games, "Games to play (even); with --sprt at most")
      ->capture_default_str();
  verb->add_option("--sprt", call->sprt, "Stop when elo1 is told from elo0, as in 0,10")
      ->delimiter(',')
      ->expected(2)
      ->type_name("ELO0,ELO1");
  verb->add_option("--sprt-model", call->sprt_model, "What elo0 and elo1 mean")
      ->check(CLI::IsMember({"normalised", "logistic"}))
      ->capture_default_str();
  verb->add_option("--seed", settings.seed, "Pair i depends on it and i, not on --workers")
      ->capture_default_str();
  verb->add_option("--workers", settings.workers, "Games at a time; 0: one per core")->capture_default_str();
  verb->add_option("--journal", settings.journal, "Keeps every pair; the same command goes on from it");
  verb->add_flag("--json", call->json, "Print the result as JSON, and no progress");
  verb->add_option("--hash", settings.a.hash_mib, "MiB of hash table a player, cleared for every game")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  verb->add_option("--material-noise", settings.a.material_noise_cp,
                   "Centipawns of noise for \"material\": it then prefers the side with more choice")
      ->check(CLI::Range(0, 200))
      ->capture_default_str();
  verb->add_option("--random-plies", settings.openings.random_plies, "Random moves in an opening")
      ->capture_default_str();
  verb->add_option("--opening-max-cp", settings.openings.max_score_cp,
                   "Openings scored beyond are drawn anew")
      ->capture_default_str();
  verb->add_option("--win-cp", settings.adjudication.calls.win_score_cp,
                   "Won once both sides agree on this score ...")
      ->check(CLI::Range(1, 32000))
      ->capture_default_str();
  verb->add_option("--win-plies", settings.adjudication.calls.win_plies, "... for so many plies; 0: never")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  verb->add_option("--max-plies", settings.adjudication.max_plies, "Longer games are draws")
      ->capture_default_str();
  verb->callback([call] { run(*call); });
}

}  // namespace farrier
