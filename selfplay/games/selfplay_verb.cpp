#include "selfplay/games/selfplay_verb.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "selfplay/games/option_checks.h"
#include "selfplay/games/scheduler.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/match/selfplay_book.h"

namespace farrier {
namespace {

/// What CLI11 fills in before the call.
struct Arguments {
  std::string variant;
  std::string folder;
  std::string net;
  std::string book;
  int book_plies = 16;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  SelfplaySettings settings;
};

void run_selfplay(Arguments arguments) {
  SelfplaySettings settings = arguments.settings;
  const auto variant = variant_from_name(arguments.variant);
  if (!variant)
    throw WrongCall("--variant",
                    fmt::format("unknown variant \"{}\"; known are {}", arguments.variant, variant_names()));
  settings.variant = *variant;
  settings.folder = arguments.folder;
  if (!arguments.net.empty()) settings.net = arguments.net;
  if (!arguments.book.empty()) read_selfplay_book(arguments.book, arguments.book_plies, settings);
  if (arguments.games > 0) settings.games = arguments.games;
  if (arguments.positions > 0) settings.positions = arguments.positions;

  const SelfplaySummary summary = generate_games(settings, stop_on_signals());
  fmt::print("{}", summary_text(summary));
  if (!summary.complete)
    throw UserError(
        arguments.folder,
        fmt::format("stopped, {} games are kept; give the same command again to go on", summary.kept_games));
}

}  // namespace

void add_selfplay_verb(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  SelfplaySettings& settings = arguments->settings;
  OpeningSettings& openings = settings.game.openings;
  AdjudicationSettings& adjudication = settings.game.adjudication;
  CLI::App* verb = app.add_subcommand("selfplay", "Plays games of a variant against itself into HDF5 shards");
  verb->add_option("folder", arguments->folder, "Where shards go; a run that was stopped there goes on")
      ->required();
  verb->add_option("--variant", arguments->variant, "chess, crazyhouse, knightmate or pocketknight")
      ->required();
  verb->add_option("--net", arguments->net, "Net file (.fnn) that evaluates; without it material does");
  auto* games = verb->add_option("--games", arguments->games, "Number of games to make");
  auto* positions =
      verb->add_option("--positions", arguments->positions, "Number of scored positions to make");
  games->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
  positions->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
  verb->add_option("--seed", settings.seed, "Seed of the run")->check(not_negative())->capture_default_str();
  verb->add_option("--generation", settings.generation, "Number of the generation; varies the games, too")
      ->check(not_negative())
      ->capture_default_str();
  NodeSchedule& schedule = settings.game.nodes;
  verb->add_option("--nodes", schedule.soft_nodes,
                   "Soft node limit of a move's search; 0: none, where "
                   "--depth gives one")
      ->check(not_negative())
      ->capture_default_str();
  verb->add_option("--late-nodes", schedule.late_soft_nodes,
                   "The limit from --late-ply on, reached evenly; 0: as --nodes")
      ->check(not_negative())
      ->capture_default_str();
  verb->add_option("--late-ply", schedule.late_ply, "Ply of the game from which --late-nodes holds")
      ->capture_default_str();
  verb->add_option("--node-spread", schedule.spread,
                   "Each move draws its limit within that share above and below, from 0 to less than 1")
      ->capture_default_str();
  verb->add_option("--depth", schedule.depth, "Depth limit of a move's search; 0: none")
      ->capture_default_str();
  verb->add_option("--threads", settings.threads,
                   "Threads of a game's search; with more than 1 games do not repeat")
      ->capture_default_str();
  ExplorationSettings& exploration = settings.game.exploration;
  verb->add_option("--explore", exploration.share,
                   "Share of plies at which the move is drawn by lot from the best ones, and marked")
      ->capture_default_str();
  verb->add_option("--explore-lines", exploration.lines, "... so many of them")->capture_default_str();
  verb->add_option("--explore-temperature", exploration.temperature_cp,
                   "... one that is worse by this is drawn e times less often, cp")
      ->capture_default_str();
  verb->add_option("--explore-loss", exploration.max_loss_cp, "... one that is worse by more never, cp")
      ->capture_default_str();
  verb->add_option("--explore-until", exploration.last_ply, "... and none from this ply on")
      ->capture_default_str();
  verb->add_option("--hash", settings.hash_mib, "Hash table of a game, MiB")->capture_default_str();
  verb->add_option("--material-noise", settings.material_noise_cp,
                   "Noise on the material evaluation, cp: equal moves are then not all played alike")
      ->capture_default_str();
  verb->add_option("--workers", settings.workers, "Games at a time; 0: as many as there are cores")
      ->capture_default_str();
  verb->add_option("--games-per-shard", settings.games_per_shard, "Games in one file")->capture_default_str();
  verb->add_option("--max-plies", settings.game.max_plies, "Longer games count as draws")
      ->capture_default_str();
  verb->add_option("--book", arguments->book,
                   "EPD or PGN file of openings, after which the random plies come (0 for the book alone)");
  verb->add_option("--book-plies", arguments->book_plies, "Plies taken from each game of a PGN book")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  verb->add_option("--random-plies", openings.random_plies,
                   "Random plies at the start, one more on a coin flip")
      ->capture_default_str();
  verb->add_option("--opening-limit", openings.max_score_cp, "Openings scored beyond are drawn anew, cp")
      ->capture_default_str();
  verb->add_option("--win-score", adjudication.win_score_cp, "Score that decides a game, cp")
      ->capture_default_str();
  verb->add_option("--win-plies", adjudication.win_plies, "... for so many plies in a row; 0: never")
      ->capture_default_str();
  verb->add_option("--played-out", adjudication.played_out_share, "Share of games that no score decides")
      ->capture_default_str();
  verb->add_option("--draw-plies", adjudication.draw_plies, "Plies in a row within the draw score; 0: never")
      ->capture_default_str();
  verb->add_option("--draw-score", adjudication.draw_score_cp, "Score that counts as level, cp")
      ->capture_default_str();
  verb->add_option("--draw-from-ply", adjudication.draw_from_ply, "First ply that counts as level")
      ->capture_default_str();
  verb->callback([arguments] { run_selfplay(*arguments); });
}

}  // namespace farrier
