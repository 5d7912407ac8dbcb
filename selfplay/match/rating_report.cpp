#include "selfplay/match/rating_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "selfplay/match/elo.h"

namespace farrier {
namespace {

using nlohmann::json;

/// What a player did against all.
struct Record {
  std::int64_t pairs = 0;
  double points = 0;  // of `pairs`

  double percent() const { return 100 * points / static_cast<double>(std::max<std::int64_t>(1, pairs)); }
};

std::vector<Record> records_of(const RatingPool& pool) {
  std::vector<Record> records(pool.players.size());
  for (const RatedPairing& pairing : pool.pairings) {
    double points = 0;
    for (std::size_t i = 0; i < 5; ++i)
      points += static_cast<double>(pairing.pairs.pairs[i]) * static_cast<double>(i) / 4;
    const std::int64_t pairs = pairing.pairs.count();
    records[pairing.a].pairs += pairs;
    records[pairing.b].pairs += pairs;
    records[pairing.a].points += points;
    records[pairing.b].points += static_cast<double>(pairs) - points;
  }
  return records;
}

std::vector<std::size_t> best_first(const RatingFit& fit, std::size_t group) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < fit.ratings.size(); ++i)
    if (fit.ratings[i].group == group) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return fit.ratings[x].elo > fit.ratings[y].elo; });
  return order;
}

std::string group_text(const RatingTable& table, std::size_t group, const std::vector<Record>& records) {
  const RatingFit& fit = table.fit;
  const std::vector<std::size_t> order = best_first(fit, group);
  std::size_t width = 6;
  for (const std::size_t i : order) width = std::max(width, table.pool.players[i].name.size());
  std::string text = fmt::format("{:>3} {:{}} {:>8} {:>8} {:>7} {:>7} {:>12}\n", "", "player", width, "Elo",
                                 "+-95%", "games", "score", "above next");
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    const Rating& rating = fit.ratings[i];
    const std::string error = i == fit.anchors[group] ? "fixed" : fmt::format("{:.1f}", rating.elo_error);
    const std::string lead =
        rank + 1 < order.size() ? fmt::format("{:.1f}%", 100 * fit.superiority(i, order[rank + 1])) : "";
    text += fmt::format("{:>3} {:{}} {:>+8.1f} {:>8} {:>7} {:>6.1f}% {:>12}{}\n", rank + 1,
                        table.pool.players[i].name, width, rating.elo, error, 2 * records[i].pairs,
                        records[i].percent(), lead, rating.is_bounded ? "" : "  *");
  }
  return text;
}

std::string sweep_text(const RatingTable& table, const Sweep& sweep) {
  return fmt::format("{} against {}: {}.\n", table.pool.players[sweep.winner].name,
                     table.pool.players[sweep.loser].name, elo_text(estimate_elo(sweep.pairs.cells())));
}

}  // namespace

bool has_player(const RatingPool& pool, const std::string& name) {
  return std::any_of(pool.players.begin(), pool.players.end(),
                     [&](const RatedPlayer& p) { return p.name == name; });
}

RatingTable rate_pool(const RatingPool& pool, const std::optional<RatingAnchor>& anchor) {
  std::vector<std::size_t> order(pool.players.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool has_anchor = anchor && has_player(pool, anchor->name);
  const auto rank = [&](std::size_t i) {
    const RatedPlayer& player = pool.players[i];
    return has_anchor && player.name == anchor->name ? 0 : player.is_material ? 1 : 2;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return rank(x) < rank(y); });
  const double anchor_elo = has_anchor ? anchor->elo : 0;
  return {.pool = pool,
          .fit = fit_ratings(pool.players.size(), pool.pairings, order, anchor_elo),
          .anchor_elo = anchor_elo};
}

std::string rating_text(const RatingTable& table) {
  const RatingPool& pool = table.pool;
  const RatingFit& fit = table.fit;
  const std::vector<Record> records = records_of(pool);
  std::int64_t pairs = 0;
  for (const RatedPairing& pairing : pool.pairings) pairs += pairing.pairs.count();
  std::string text = fmt::format(
      "Ratings of {}: {} players, {} {}, {} pairs of games; errors are of the distance to "
      "{} = {:g}\n",
      variant_name(pool.variant), pool.players.size(), pool.matches, pool.matches == 1 ? "match" : "matches",
      pairs, pool.players[fit.anchors[0]].name, table.anchor_elo);
  text += group_text(table, 0, records);
  for (std::size_t group = 1; group < fit.anchors.size(); ++group) {
    text += fmt::format(
        "No chain of matches leads from those above to these, so nothing tells how they compare; {} "
        "= 0 here:\n",
        pool.players[fit.anchors[group]].name);
    text += group_text(table, group, records);
  }
  if (!fit.sweeps.empty()) {
    text +=
        "* Only won or only lost on the way to the fixed player: no finite rating is most likely. One drawn "
        "pair "
        "was added to each of these, and the ratings that hang on them say little more than who is "
        "stronger:\n";
    for (const Sweep& sweep : fit.sweeps) text += sweep_text(table, sweep);
  }
  return text;
}

json rating_json(const RatingTable& table) {
  const RatingPool& pool = table.pool;
  const RatingFit& fit = table.fit;
  const std::vector<Record> records = records_of(pool);
  json players = json::array(), pairings = json::array(), sweeps = json::array();
  for (std::size_t group = 0; group < fit.anchors.size(); ++group)
    for (const std::size_t i : best_first(fit, group))
      players.push_back({{"name", pool.players[i].name},
                         {"identity", json::parse(pool.players[i].identity)},
                         {"group", group},
                         {"anchor", i == fit.anchors[group]},
                         {"elo", fit.ratings[i].elo},
                         {"elo_error_95", fit.ratings[i].elo_error},
                         {"is_bounded", fit.ratings[i].is_bounded},
                         {"games", 2 * records[i].pairs},
                         {"score", records[i].percent() / 100}});
  for (const RatedPairing& pairing : pool.pairings)
    pairings.push_back({{"a", pool.players[pairing.a].name},
                        {"b", pool.players[pairing.b].name},
                        {"pentanomial", pairing.pairs.pairs}});
  for (const Sweep& sweep : fit.sweeps) sweeps.push_back(sweep_text(table, sweep));
  return {{"variant", variant_name(pool.variant)},
          {"matches", pool.matches},
          {"players", players},
          {"pairings", pairings},
          {"sweeps", sweeps}};
}

}  // namespace farrier
