#include "selfplay/match/match_verb.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/variants/variant.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/match_pgn.h"
#include "selfplay/match/match_plan.h"
#include "selfplay/match/match_report.h"
#include "selfplay/match/match_runner.h"
#include "selfplay/match/match_status.h"
#include "selfplay/match/player_text.h"

namespace farrier {
namespace {

/// The command line as it was typed.
struct MatchCall {
  std::string variant;
  std::string a, b;
  CommonPlayerSettings common;
  std::string tc;
  std::int64_t move_time_ms = 0;
  std::int64_t margin_ms = 20;
  std::int64_t stall_ms = 10000;
  std::vector<double> sprt;  // elo0, elo1
  std::string sprt_model = "normalised";
  std::filesystem::path pgn;
  bool json = false;
  bool plan = false;
  MatchSettings settings;
};

/// Nodes are limited to a thousand where nothing else limits a move.
void complete_limits(MatchCall& call) {
  PlayerSpec& spec = call.common.spec;
  if (!call.tc.empty()) spec.clock = parse_time_control(call.tc).value_or_throw("--tc");
  if (call.move_time_ms > 0) spec.move_time = std::chrono::milliseconds(call.move_time_ms);
  if (!spec.has_limit()) spec.hard_nodes = 1000;
}

Variant variant_of(const MatchCall& call, const PlayerSpec& a, const PlayerSpec& b) {
  if (call.variant.empty()) {
    if (a.net) return a.net->variant;
    if (b.net) return b.net->variant;
    throw CLI::RequiredError("--variant (material tells none)");
  }
  if (const std::optional<Variant> variant = variant_from_name(call.variant)) return *variant;
  throw WrongCall("--variant " + call.variant,
                  "there is no such variant; choose one of " + std::string(variant_names()));
}

void run(MatchCall& call) {
  MatchSettings& settings = call.settings;
  complete_limits(call);
  const PlayerSpec a = parse_player(call.a, call.common);
  const PlayerSpec b = parse_player(call.b, call.common);
  settings.variant = variant_of(call, a, b);
  settings.a = a;
  settings.b = b;
  if (!call.sprt.empty()) {
    settings.sprt.emplace();
    settings.sprt->elo0 = call.sprt.at(0);
    settings.sprt->elo1 = call.sprt.at(1);
    settings.sprt->model = call.sprt_model == "logistic" ? SprtModel::Logistic : SprtModel::Normalised;
  }
  settings.margin = std::chrono::milliseconds(call.margin_ms);
  settings.stall = std::chrono::milliseconds(call.stall_ms);
  if (settings.log.empty())
    settings.log = settings.journal.empty() ? "farrier-match.log" : settings.journal.string() + ".log";
  settings.stop = &stop_on_signals();
  if (call.plan) {
    const MatchSample sample = play_sample(settings);
    fmt::print("{}", call.json ? plan_json(settings, sample).dump(2) + "\n" : plan_text(settings, sample));
    return;
  }
  ProgressLine line;
  if (!call.json) {
    settings.on_progress = [&](const MatchProgress& progress) {
      if (line.due()) line.show(progress_text(progress, settings.sprt));
    };
  }
  const MatchResult result = run_match(settings);
  line.finish();
  if (!call.pgn.empty()) write_match_pgn(settings, MatchJournal(settings).pairs(), call.pgn);
  if (call.json)
    fmt::print("{}\n", report_json(settings, result).dump(2));
  else
    fmt::print("{}", report_text(settings, result));
  const MatchStatus status = status_of(settings, result);
  if (status != MatchStatus::Accepted) throw CLI::RuntimeError(static_cast<int>(status));
}

}  // namespace

void add_match_verb(CLI::App& app) {
  auto call = std::make_shared<MatchCall>();
  MatchSettings& settings = call->settings;
  CLI::App* verb = app.add_subcommand("match", "Is A stronger than B? Paired games, Elo with error, SPRT");
  verb->footer(
      "A player is \"material\", a net file, or cmd=PROGRAM for a UCI engine, and then settings of his own: "
      "name, "
      "nodes, soft=yes, depth, movetime (ms), tc; hash and noise in this process; args, dir, option.NAME and "
      "restart=yes (before every game) for an engine. Words with blanks stand in quotes.\n" +
      std::string(kMatchStatusHelp) +
      "\nExamples:\n"
      "farrier match --a new.fnn --b old.fnn --nodes 2000 --games 4000 --sprt 0,10 --journal new.jsonl\n"
      "farrier match --a new.fnn --b \"cmd=fairy-stockfish option.Hash=16 name=fsf11\" --tc 1+0.01 --games "
      "1000");
  verb->add_option("--a", call->a, "The player in question")->required();
  verb->add_option("--b", call->b, "The opponent")->required();
  verb->add_option("--variant", call->variant, "The game; a net tells its own");
  PlayerSpec& common = call->common.spec;
  common.hard_nodes.reset();
  verb->add_option("--nodes", common.hard_nodes, "Nodes a move; without any limit 1000")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  verb->add_flag("--soft", call->common.soft, "Finish the iteration in which the nodes are reached");
  verb->add_option("--depth", common.depth, "Plies a move")->check(CLI::Range(1, kMaxPly));
  verb->add_option("--tc", call->tc, "Clock: [moves/]seconds[+seconds], as in 10+0.1 or 40/60+0.6");
  verb->add_option("--movetime", call->move_time_ms, "Milliseconds a move")->check(CLI::Range(1, 86400000));
  verb->add_option("--margin", call->margin_ms, "Milliseconds that may be overdrawn before a game is lost")
      ->check(CLI::Range(0, 3600000))
      ->capture_default_str();
  verb->add_option("--stall", call->stall_ms,
                   "Milliseconds after its time until a player's answer never comes")
      ->check(CLI::Range(1, 3600000))
      ->capture_default_str();
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
  verb->add_option("--pgn", call->pgn, "Written from the journal at the end and when interrupted")
      ->needs("--journal");
  verb->add_option("--log", settings.log,
                   "Faults, with the talk that led to them, and our own delays; made "
                   "beside the journal unless given");
  verb->add_flag("--stop-on-fault", settings.stop_on_fault, "End the match at a player's first fault");
  verb->add_flag("--affinity", settings.affinity, "Keep the engines of a worker on one core of their own");
  verb->add_flag("--plan", call->plan,
                 "Play some seconds only, and tell how many games the question needs and how long they take");
  verb->add_flag("--json", call->json, "Print the result as JSON, and no progress");
  verb->add_option("--hash", common.hash_mib,
                   "MiB of hash table a player of this process, cleared for every game")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  verb->add_option("--material-noise", common.material_noise_cp,
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
