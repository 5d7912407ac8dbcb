#include "selfplay/match/rate_verb.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "selfplay/match/rating_report.h"

namespace farrier {
namespace {

struct RateCall {
  std::vector<std::filesystem::path> paths;
  std::string anchor;
  bool json = false;
};

/// "material=0". A name may hold an equals sign itself.
RatingAnchor parse_anchor(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  RatingAnchor anchor{.name = text.substr(0, equals)};
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), anchor.elo);
  if (number.empty() || error != std::errc{} || end != number.data() + number.size())
    throw WrongCall("--anchor " + text, "must be a player's name, \"=\" and his Elo, as in material=0");
  return anchor;
}

std::string names_of(const std::vector<RatingPool>& pools) {
  std::string names;
  for (const RatingPool& pool : pools)
    for (const RatedPlayer& player : pool.players) names += (names.empty() ? "" : ", ") + player.name;
  return names;
}

void run(const RateCall& call) {
  std::optional<RatingAnchor> anchor;
  if (!call.anchor.empty()) anchor = parse_anchor(call.anchor);
  const RatingInput input = read_rating_input(call.paths);
  const auto has_anchor = [&](const RatingPool& pool) { return has_player(pool, anchor->name); };
  if (anchor && std::none_of(input.pools.begin(), input.pools.end(), has_anchor))
    throw UserError("--anchor " + call.anchor,
                    "nobody of that name played; there are " + names_of(input.pools));
  if (call.json) {
    nlohmann::json variants = nlohmann::json::array();
    for (const RatingPool& pool : input.pools) variants.push_back(rating_json(rate_pool(pool, anchor)));
    fmt::print("{}\n", nlohmann::json{{"variants", variants}, {"notes", input.notes}}.dump(2));
    return;
  }
  for (const RatingPool& pool : input.pools) fmt::print("{}\n", rating_text(rate_pool(pool, anchor)));
  for (const std::string& note : input.notes) fmt::print("{}\n", note);
  if (input.pools.empty()) throw UserError("rate", "these journals rate nobody");
}

}  // namespace

void add_rate_verb(CLI::App& app) {
  auto call = std::make_shared<RateCall>();
  CLI::App* verb = app.add_subcommand("rate", "Joint ratings of all who met in match journals, with errors");
  verb->footer(
      "Every variant is rated apart. The ratings are the strengths under which all scores together are most "
      "likely "
      "(Bradley-Terry); errors are 95%, taken from pairs of games. Players are the same if they play by the "
      "same net "
      "and limits, whatever their files are called. The matches of all generations against fixed players "
      "(material, "
      "random, an outside engine) keep a chart from inflating.\n"
      "Examples:\n"
      "farrier rate runs/crazyhouse\n"
      "farrier rate runs/crazyhouse more/*.jsonl --anchor fsf11=2000");
  verb->add_option("journals", call->paths, "Match journals, folders of them, and folders of `farrier run`")
      ->required()
      ->check(CLI::ExistingPath);
  verb->add_option("--anchor", call->anchor,
                   "The player whose rating is fixed; material=0, or else the first player")
      ->type_name("NAME=ELO");
  verb->add_flag("--json", call->json, "Print the ratings as JSON");
  verb->callback([call] { run(*call); });
}

}  // namespace farrier
