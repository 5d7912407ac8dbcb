#include "selfplay/records/data_verbs.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "selfplay/records/data_check.h"
#include "selfplay/records/data_stats.h"
#include "selfplay/records/show.h"

namespace farrier {
namespace {

/// What CLI11 fills in before the call.
struct Arguments {
  std::vector<std::string> places;
  bool json = false;
  std::vector<std::string> against;
  bool unique = false;
  int workers = 0;
  std::uint64_t game = 0;
  std::optional<std::uint64_t> ply;
};

void add_places(CLI::App* verb, Arguments& arguments) {
  verb->add_option("places", arguments.places, "Folders of shards, or shards (*.h5)")->required();
}

void add_workers(CLI::App* verb, Arguments& arguments) {
  verb->add_option("--workers", arguments.workers, "Shards at a time; 0: as many as there are cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_stats_verb(CLI::App& data) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = data.add_subcommand(
      "stats", "Games, results, lengths, scores against results, men, royal squares, openings");
  add_places(verb, *arguments);
  verb->add_flag("--json", arguments->json, "One JSON object instead of a text");
  add_workers(verb, *arguments);
  verb->callback([arguments] {
    const DataStats stats =
        measure_data(read_catalogue_of(arguments->places), arguments->workers, arguments->json);
    fmt::print("{}", arguments->json ? stats_json(stats) : stats_text(stats));
  });
}

void add_check_verb(CLI::App& data) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb =
      data.add_subcommand("check", "Proves every game by the rules, and that none stands twice or is lost");
  verb->footer(
      "Finds illegal moves, wrong ends and results, impossible scores, games that stand twice, and shards "
      "lost from the middle of a set. Exit status 1 at the first fault, told with the game as FEN and "
      "moves.");
  add_places(verb, *arguments);
  verb->add_option("--against", arguments->against,
                   "Another set (for validation, say) that must share no game; shared positions are counted");
  verb->add_flag("--unique", arguments->unique,
                 "Two games with seeds of their own that went alike are a fault, too");
  add_workers(verb, *arguments);
  verb->callback([arguments] {
    CheckOptions options;
    options.unique = arguments->unique;
    options.workers = arguments->workers;
    if (!arguments->against.empty()) options.against = read_catalogue_of(arguments->against);
    fmt::print("{}", check_text(check_data(read_catalogue_of(arguments->places), options), options));
  });
}

void add_show_verb(CLI::App& data) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = data.add_subcommand("show", "One game as text: moves with scores, the board, hands, FEN");
  add_places(verb, *arguments);
  verb->add_option("--game", arguments->game, "Which one, counted from 0 through all shards")
      ->capture_default_str();
  verb->add_option("--ply", arguments->ply, "The board after so many plies; without it at the game's end");
  verb->callback([arguments] {
    fmt::print("{}", show_game(read_catalogue_of(arguments->places), arguments->game, arguments->ply));
  });
}

}  // namespace

void add_data_verbs(CLI::App& app) {
  CLI::App* data =
      app.add_subcommand("data", "Game records: looked at, proved, translated, joined, split, relabelled");
  data->require_subcommand(0, 1);  // so that a misspelt one is named, and not only missed
  add_stats_verb(*data);
  add_check_verb(*data);
  add_show_verb(*data);
  add_convert_verb(*data);
  add_set_verbs(*data);
  add_rescore_verb(*data);
  data->callback([data] {
    if (data->get_subcommands().empty())
      throw WrongCall("farrier data", "which of its verbs? 'farrier data --help' lists them");
  });
}

}  // namespace farrier
