#include "selfplay/match/match_verb.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/games/progress_line.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/match_call.h"
#include "selfplay/match/match_pgn.h"
#include "selfplay/match/match_plan.h"
#include "selfplay/match/match_report.h"
#include "selfplay/match/match_runner.h"
#include "selfplay/match/match_status.h"

namespace farrier {
namespace {

/// Two players: their match is the whole answer.
int run_one(const MatchCall& call, MatchSettings settings) {
  ProgressLine line;
  if (!call.json)
    settings.on_progress = [&](const MatchProgress& progress) {
      if (line.due()) line.show(progress_text(progress, settings.sprt));
    };
  const MatchResult result = run_match(settings);
  line.finish();
  if (call.json)
    fmt::print("{}\n", report_json(settings, result).dump(2));
  else
    fmt::print("{}", report_text(settings, result));
  if (!call.pgn.empty()) write_file_whole(call.pgn, match_pgn_text(settings, MatchJournal(settings).pairs()));
  return static_cast<int>(status_of(settings, result));
}

/// Some seconds of the match, to tell how long its question takes.
int plan(const MatchCall& call, const MatchSettings& settings) {
  const MatchSample sample = play_sample(settings);
  fmt::print("{}", call.json ? plan_json(settings, sample).dump(2) + "\n" : plan_text(settings, sample));
  return 0;
}

/// More players: a match for each pairing.
int run_all(const MatchCall& call, const TournamentSettings& tournament) {
  const std::size_t matches = pairings_of(tournament.players.size(), tournament.scheme).size();
  TournamentSettings settings = tournament;
  ProgressLine line;
  std::string now;
  if (!call.json)
    settings.match.on_progress = [&](const MatchProgress& progress) {
      if (line.due()) line.show(now + progress_text(progress, settings.match.sprt));
    };
  const std::vector<PairingResult> results = run_tournament(settings, [&](const MatchSettings& match) {
    now = fmt::format("{} of {}, {} v {}: ", match.pairing, matches, match.a.name, match.b.name);
  });
  line.finish();
  if (call.json)
    fmt::print("{}\n", tournament_json(settings, results).dump(2));
  else
    fmt::print("{}", tournament_text(settings, results));
  if (!call.pgn.empty()) {
    std::string text;
    for (const PairingResult& match : results)
      text += match_pgn_text(match.settings, MatchJournal(match.settings).pairs());
    write_file_whole(call.pgn, text);
  }
  // A tournament has no verdict as a whole: it was played, or not to its end, or not without faults.
  MatchStatus worst = MatchStatus::Accepted;
  for (const PairingResult& match : results) {
    const MatchStatus status = status_of(match.settings, match.result);
    if (status == MatchStatus::Faulty) return static_cast<int>(status);
    if (match.result.end == MatchEnd::Interrupted) worst = status;
  }
  return static_cast<int>(worst);
}

int make_book(const MatchCall& call) {
  BookBuildSettings settings = book_of(call);
  settings.stop = &stop_on_signals();
  ProgressLine line;
  if (!call.json)
    settings.on_progress = [&](std::int64_t found) {
      if (line.due()) line.show(fmt::format("{}/{} openings", found, settings.count));
    };
  const BookBuildResult result = build_book(settings);
  line.finish();
  if (!result.complete) {
    fmt::print("Interrupted after {} openings; no book was written\n", result.positions);
    return static_cast<int>(MatchStatus::Undecided);
  }
  fmt::print("{}: {} openings of {}; left out: {} beyond {} cp, {} finished, {} met before\n",
             settings.file.string(), result.positions, variant_name(settings.variant),
             result.rejects.lopsided, settings.openings.max_score_cp, result.rejects.finished,
             result.repeated);
  return 0;
}

/// Told before the games, not after them.
void require_place_for_pgn(const MatchCall& call, const MatchSettings& settings) {
  if (call.pgn.empty()) return;
  const auto same = [&](const std::filesystem::path& other) {
    return !other.empty() &&
           std::filesystem::weakly_canonical(call.pgn) == std::filesystem::weakly_canonical(other);
  };
  if (same(settings.journal) || same(settings.log))
    throw WrongCall("--pgn", "needs a file of its own, beside journal and log");
  require_writable(call.pgn);
}

int run(const MatchCall& call) {
  if (!call.make_book.empty()) return make_book(call);
  TournamentSettings tournament = tournament_of(call);
  tournament.match.stop = &stop_on_signals();
  require_place_for_pgn(call, tournament.match);
  if (call.plan && tournament.players.size() > 2)
    throw WrongCall("--plan", "tells of a match of two players");
  if (tournament.players.size() > 2) return run_all(call, tournament);
  MatchSettings settings = tournament.match;
  settings.a = tournament.players[0];
  settings.b = tournament.players[1];
  return call.plan ? plan(call, settings) : run_one(call, settings);
}

}  // namespace

void add_match_verb(CLI::App& app) {
  auto call = std::make_shared<MatchCall>();
  CLI::App* verb = app.add_subcommand("match", "Is A stronger than B? Paired games, Elo with error, SPRT");
  add_match_options(*verb, *call);
  verb->callback([call] {
    if (const int status = run(*call); status != 0) throw CLI::RuntimeError(status);
  });
}

}  // namespace farrier
