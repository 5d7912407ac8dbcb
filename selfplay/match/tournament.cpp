#include "selfplay/match/tournament.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "engine/base/error.h"
#include "selfplay/match/match_report.h"
#include "selfplay/match/match_runner.h"

namespace farrier {
namespace {

using nlohmann::json;

/// Points and games of one player, against one other or all.
struct Points {
  double points = 0;
  std::int64_t games = 0;

  double share() const { return games == 0 ? 0 : points / static_cast<double>(games); }
  std::string text() const { return games == 0 ? "-" : fmt::format("{:g}/{}", points, games); }
};

/// `[i][j]`: what player i scored against player j; `[i][i]` his sum.
std::vector<std::vector<Points>> table_of(std::size_t players, const std::vector<PairingResult>& results) {
  std::vector<std::vector<Points>> table(players, std::vector<Points>(players));
  const auto add = [&](std::size_t player, std::size_t other, std::int64_t wins, const GameCounts& games) {
    for (const std::size_t cell : {other, player}) {
      table[player][cell].points += static_cast<double>(wins) + 0.5 * static_cast<double>(games.draws);
      table[player][cell].games += games.games();
    }
  };
  for (const auto& [pairing, settings, result] : results) {
    add(pairing.a, pairing.b, result.games.wins, result.games);
    add(pairing.b, pairing.a, result.games.losses, result.games);
  }
  return table;
}

std::vector<std::size_t> best_first(const std::vector<std::vector<Points>>& table) {
  std::vector<std::size_t> order(table.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return table[x][x].share() > table[y][y].share(); });
  return order;
}

void require_names(const std::vector<PlayerSpec>& players) {
  std::set<std::string> names;
  for (const PlayerSpec& player : players)
    if (!names.insert(player.name).second)
      throw WrongCall("match",
                      fmt::format("two players are called {}; tell them apart by name=", player.name));
}

}  // namespace

std::vector<Pairing> pairings_of(std::size_t players, TournamentScheme scheme) {
  std::vector<Pairing> pairings;
  for (std::size_t a = 0; a < players; ++a)
    for (std::size_t b = a + 1; b < players; ++b)
      if (a == 0 || scheme == TournamentScheme::RoundRobin) pairings.push_back({a, b});
  return pairings;
}

MatchSettings TournamentSettings::match_of(std::size_t number) const {
  const Pairing pairing = pairings_of(players.size(), scheme).at(number);
  MatchSettings settings = match;
  settings.a = players[pairing.a];
  settings.b = players[pairing.b];
  settings.pairing = static_cast<int>(number) + 1;
  return settings;
}

std::vector<PairingResult> run_tournament(const TournamentSettings& settings,
                                          const std::function<void(const MatchSettings&)>& on_match) {
  require_names(settings.players);
  const std::vector<Pairing> pairings = pairings_of(settings.players.size(), settings.scheme);
  std::vector<PairingResult> results;
  for (std::size_t number = 0; number < pairings.size(); ++number) {
    PairingResult match{.pairing = pairings[number], .settings = settings.match_of(number), .result = {}};
    on_match(match.settings);
    match.result = run_match(match.settings);
    results.push_back(std::move(match));
    const MatchEnd end = results.back().result.end;
    if (end == MatchEnd::Interrupted || end == MatchEnd::Faulty) break;
  }
  return results;
}

std::string cross_table(const TournamentSettings& settings, const std::vector<PairingResult>& results) {
  const auto table = table_of(settings.players.size(), results);
  const std::vector<std::size_t> order = best_first(table);
  std::size_t name_width = 6, cell_width = 7;
  for (const std::size_t i : order) name_width = std::max(name_width, settings.players[i].name.size());
  for (const std::size_t i : order)
    for (const std::size_t j : order) cell_width = std::max(cell_width, table[i][j].text().size());

  std::string text =
      fmt::format("{:>3} {:{}} {:>{}} {:>6}", "", "player", name_width, "points", cell_width, "%");
  for (std::size_t rank = 1; rank <= order.size(); ++rank) text += fmt::format(" {:>{}}", rank, cell_width);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    text += fmt::format("\n{:>3} {:{}} {:>{}} {:>6.1f}", rank + 1, settings.players[i].name, name_width,
                        table[i][i].text(), cell_width, 100 * table[i][i].share());
    for (const std::size_t j : order)
      text += fmt::format(" {:>{}}", i == j ? "" : table[i][j].text(), cell_width);
  }
  return text + "\n";
}

std::string tournament_text(const TournamentSettings& settings, const std::vector<PairingResult>& results) {
  std::string text;
  for (const PairingResult& match : results) text += report_text(match.settings, match.result) + "\n";
  return text + cross_table(settings, results);
}

json tournament_json(const TournamentSettings& settings, const std::vector<PairingResult>& results) {
  const auto table = table_of(settings.players.size(), results);
  json standings = json::array(), matches = json::array();
  for (const std::size_t i : best_first(table))
    standings.push_back(
        {{"name", settings.players[i].name}, {"points", table[i][i].points}, {"games", table[i][i].games}});
  for (const PairingResult& match : results) matches.push_back(report_json(match.settings, match.result));
  return {{"standings", standings}, {"matches", matches}};
}

}  // namespace farrier
