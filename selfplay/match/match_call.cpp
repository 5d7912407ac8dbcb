#include "selfplay/match/match_call.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "engine/base/error.h"
#include "engine/nnue/default_nets.h"
#include "engine/variants/variant.h"
#include "selfplay/games/option_checks.h"
#include "selfplay/match/match_status.h"

namespace farrier {
namespace {

/// Nodes are limited to a thousand where nothing else limits a move.
void complete_limits(MatchCall& call) {
  PlayerSpec& spec = call.common.spec;
  if (!call.tc.empty()) {
    const Result<TimeControl> control = parse_time_control(call.tc);
    if (!control) throw WrongCall("--tc", control.reason());
    spec.clock = *control;
  }
  if (call.move_time_ms > 0) spec.move_time = std::chrono::milliseconds(call.move_time_ms);
  if (!spec.has_limit()) spec.hard_nodes = 1000;
}

Variant variant_of(const MatchCall& call, const std::vector<PlayerSpec>& players) {
  if (call.variant.empty()) {
    for (const PlayerSpec& player : players)
      if (player.net) return player.net->variant;
    throw CLI::RequiredError("--variant (only a net tells it)");
  }
  if (const std::optional<Variant> variant = variant_from_name(call.variant)) return *variant;
  throw WrongCall("--variant " + call.variant,
                  "there is no such variant; choose one of " + std::string(variant_names()));
}

}  // namespace

void add_match_options(CLI::App& verb, MatchCall& call) {
  MatchSettings& settings = call.settings;
  verb.footer(
      "A player is \"material\", \"random\" (plays any legal move), a net file, or cmd=PROGRAM for a UCI "
      "engine, and then settings of his own: "
      "name, "
      "nodes, soft=yes, depth, movetime (ms), tc; hash, noise and param.NAME (`farrier tune --list`) in this "
      "process; args, dir, option.NAME and "
      "restart=yes (before every game) for an engine. Words with blanks stand in quotes.\n" +
      std::string(kMatchStatusHelp) +
      "\nExamples:\n"
      "farrier match --a new.fnn --b old.fnn --nodes 2000 --games 4000 --sprt 0,10 --journal new.jsonl\n"
      "farrier match --a new.fnn --b \"cmd=fairy-stockfish option.Hash=16 name=fsf11\" --tc 1+0.01 --games "
      "1000\n"
      "farrier match --engine new.fnn --engine old.fnn --engine material --nodes 2000 --games 200\n"
      "farrier match --make-book book.epd --variant crazyhouse --count 5000");
  verb.add_option("--a", call.a, "The player in question");
  verb.add_option("--b", call.b, "The opponent");
  verb.add_option("--engine", call.engines, "A player of a tournament, instead of --a and --b; repeat it")
      ->excludes("--a")
      ->excludes("--b");
  verb.add_option("--tournament", call.scheme,
                  "Who meets whom; in a gauntlet the first player meets the others")
      ->check(CLI::IsMember({"round-robin", "gauntlet"}))
      ->capture_default_str();
  verb.add_option("--variant", call.variant, "The game; a net tells its own");
  PlayerSpec& common = call.common.spec;
  common.hard_nodes.reset();
  verb.add_option("--nodes", common.hard_nodes, "Nodes a move; without any limit 1000")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  verb.add_flag("--soft", call.common.soft, "Finish the iteration in which the nodes are reached");
  verb.add_option("--depth", common.depth, "Plies a move")->check(CLI::Range(1, kMaxPly));
  verb.add_option("--tc", call.tc, "Clock: [moves/]seconds[+seconds], as in 10+0.1 or 40/60+0.6");
  verb.add_option("--movetime", call.move_time_ms, "Milliseconds a move")->check(CLI::Range(1, 86400000));
  verb.add_option("--margin", call.margin_ms, "Milliseconds that may be overdrawn before a game is lost")
      ->check(CLI::Range(0, 3600000))
      ->capture_default_str();
  verb.add_option("--stall", call.stall_ms, "Milliseconds after its time until a player's answer never comes")
      ->check(CLI::Range(1, 3600000))
      ->capture_default_str();
  verb.add_option("--games", settings.games, "Games to play (even); with --sprt at most")
      ->capture_default_str();
  verb.add_option("--sprt", call.sprt, "Stop when elo1 is told from elo0, as in 0,10")
      ->delimiter(',')
      ->expected(2)
      ->type_name("ELO0,ELO1");
  verb.add_option("--sprt-model", call.sprt_model, "What elo0 and elo1 mean")
      ->check(CLI::IsMember({"normalised", "logistic"}))
      ->capture_default_str();
  verb.add_option("--seed", settings.seed, "Pair i depends on it and i, not on --workers")
      ->check(not_negative())
      ->capture_default_str();
  verb.add_option("--workers", settings.workers, "Games at a time; 0: one per core")->capture_default_str();
  verb.add_option("--journal", settings.journal, "Keeps every pair; the same command goes on from it");
  verb.add_option("--pgn", call.pgn, "Written from the journal at the end and when interrupted")
      ->needs("--journal");
  verb.add_option("--log", settings.log,
                  "Takes faults, with the talk that led to them, and our own delays; JOURNAL.log unless "
                  "given, and without a "
                  "journal standard error");
  verb.add_flag("--stop-on-fault", settings.stop_on_fault, "End the match at a player's first fault");
  verb.add_flag("--affinity", settings.affinity, "Keep the engines of a worker on one core of their own");
  verb.add_flag("--plan", call.plan,
                "Play some seconds only, and tell how many games the question needs and how long they take");
  verb.add_flag("--json", call.json, "Print the result as JSON, and no progress");
  verb.add_option("--hash", common.hash_mib,
                  "MiB of hash table a player of this process, cleared for every game")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  verb.add_option("--material-noise", common.material_noise_cp,
                  "Centipawns of noise for \"material\": it then prefers the side with more choice")
      ->check(CLI::Range(0, 200))
      ->capture_default_str();
  verb.add_option("--random-plies", settings.openings.random_plies, "Random moves in an opening")
      ->capture_default_str();
  verb.add_option("--opening-max-cp", call.opening_max_cp,
                  "Random openings scored beyond are drawn anew (600; for a book 100)")
      ->check(CLI::Range(0, 32000));
  verb.add_option("--book", call.book, "Openings from an EPD or a .pgn instead of random ones");
  verb.add_option("--book-order", call.book_order, "Which opening comes next")
      ->check(CLI::IsMember({"sequential", "random"}))
      ->capture_default_str();
  verb.add_option("--book-plies", call.book_plies, "Moves taken from each game of a PGN")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  verb.add_option(
      "--make-book", call.make_book,
      "Play nothing: write an EPD of random openings that a search calls even, no position twice");
  verb.add_option("--count", call.book_count, "Positions of that book")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  verb.add_option("--book-nodes", call.book_nodes, "Nodes of the search that judges them")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
      ->capture_default_str();
  verb.add_option("--judge", call.judge, "Its net, or \"material\"; the variant's default net unless given");
  verb.add_option("--win-cp", settings.adjudication.calls.win_score_cp,
                  "Won once both sides agree on this score ...")
      ->check(CLI::Range(1, 32000))
      ->capture_default_str();
  verb.add_option("--win-plies", settings.adjudication.calls.win_plies, "... for so many plies; 0: never")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  verb.add_option("--max-plies", settings.adjudication.max_plies, "Longer games are draws")
      ->capture_default_str();
}

TournamentSettings tournament_of(MatchCall call) {
  complete_limits(call);
  if (call.engines.empty()) {
    if (call.a.empty()) throw CLI::RequiredError("--a");
    if (call.b.empty()) throw CLI::RequiredError("--b");
    call.engines = {call.a, call.b};
  }
  if (call.engines.size() < 2) throw CLI::RequiredError("A second --engine");
  TournamentSettings tournament;
  for (const std::string& text : call.engines) tournament.players.push_back(parse_player(text, call.common));
  tournament.scheme = call.scheme == "gauntlet" ? TournamentScheme::Gauntlet : TournamentScheme::RoundRobin;

  MatchSettings& settings = tournament.match = call.settings;
  settings.variant = variant_of(call, tournament.players);
  if (!call.sprt.empty()) {
    settings.sprt.emplace();
    settings.sprt->elo0 = call.sprt.at(0);
    settings.sprt->elo1 = call.sprt.at(1);
    settings.sprt->model = call.sprt_model == "logistic" ? SprtModel::Logistic : SprtModel::Normalised;
  }
  if (call.opening_max_cp) settings.openings.max_score_cp = *call.opening_max_cp;
  if (!call.book.empty())
    settings.book =
        BookSettings{.file = call.book,
                     .order = call.book_order == "random" ? BookOrder::Random : BookOrder::Sequential,
                     .plies = call.book_plies};
  settings.margin = std::chrono::milliseconds(call.margin_ms);
  settings.stall = std::chrono::milliseconds(call.stall_ms);
  if (settings.log.empty() && !settings.journal.empty()) settings.log = settings.journal.string() + ".log";
  return tournament;
}

BookBuildSettings book_of(const MatchCall& call) {
  BookBuildSettings book;
  book.variant = variant_of(call, {});
  book.file = call.make_book;
  book.count = call.book_count;
  book.seed = call.settings.seed;
  book.workers = call.settings.workers;
  book.openings.random_plies = call.settings.openings.random_plies;
  book.openings.check_nodes = call.book_nodes;
  if (call.opening_max_cp) book.openings.max_score_cp = *call.opening_max_cp;
  if (call.judge.empty()) {
    book.net = default_net(book.variant).net;
  } else if (call.judge != "material") {
    book.net = std::make_shared<const Net>(read_net(call.judge));
    if (book.net->variant != book.variant)
      throw UserError(call.judge, fmt::format("is a net for {}, not for {}", variant_name(book.net->variant),
                                              variant_name(book.variant)));
  }
  return book;
}

}  // namespace farrier
