#include "selfplay/games/selfplay_settings.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace farrier {

std::string settings_text(const SelfplaySettings& settings, const std::string& net) {
  const OpeningSettings& openings = settings.game.openings;
  const AdjudicationSettings& adjudication = settings.game.adjudication;
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  line("variant", fmt::format("\"{}\"", variant_name(settings.variant)));
  line("net", fmt::format("\"{}\"", net));
  line("seed", settings.seed);
  line("generation", settings.generation);
  line("games_per_shard", settings.games_per_shard);
  const NodeSchedule& nodes = settings.game.nodes;
  line("soft_nodes", nodes.soft_nodes);
  line("hash_mib", settings.hash_mib);
  line("material_noise_cp", settings.net ? 0 : settings.material_noise_cp);
  line("max_plies", settings.game.max_plies);
  line("opening_random_plies", openings.random_plies);
  line("opening_one_more_on_a_coin", openings.one_more_on_a_coin);
  line("opening_max_score_cp", openings.max_score_cp);
  line("opening_check_nodes", openings.check_nodes);
  line("win_score_cp", adjudication.win_score_cp);
  line("win_plies", adjudication.win_plies);
  line("played_out_share", adjudication.played_out_share);
  line("draw_plies", adjudication.draw_plies);
  line("draw_score_cp", adjudication.draw_score_cp);
  line("draw_from_ply", adjudication.draw_from_ply);
  // Only where they are used, so that folders begun before these settings existed can go on.
  if (nodes.late_soft_nodes > 0) {
    line("late_soft_nodes", nodes.late_soft_nodes);
    line("late_ply", nodes.late_ply);
  }
  if (nodes.spread > 0) line("node_spread", nodes.spread);
  if (nodes.depth > 0) line("depth", nodes.depth);
  const ExplorationSettings& exploration = settings.game.exploration;
  if (exploration.share > 0) {
    line("explore_share", exploration.share);
    line("explore_lines", exploration.lines);
    line("explore_temperature_cp", exploration.temperature_cp);
    line("explore_max_loss_cp", exploration.max_loss_cp);
    line("explore_last_ply", exploration.last_ply);
  }
  if (openings.book) line("opening_book", fmt::format("\"{}\"", settings.book_hash));
  if (settings.threads > 1) line("threads", settings.threads);
  return text;
}

void require_valid(const SelfplaySettings& settings) {
  const auto require = [](bool ok, const char* option, auto value, const char* range) {
    if (!ok) throw WrongCall(fmt::format("{} {}", option, value), std::string("out of range; give ") + range);
  };
  const auto within = [&](auto value, auto low, auto high, const char* option) {
    require(value >= low && value <= high, option, value, fmt::format("{} to {}", low, high).c_str());
  };
  if (!settings.games && !settings.positions)
    throw WrongCall("--games or --positions", "give how many to make");
  within(settings.games_per_shard, 1u, 1'000'000u, "--games-per-shard");
  within(settings.workers, 0, 1024, "--workers");
  within(settings.hash_mib, 1u, 65536u, "--hash");
  within(settings.material_noise_cp, 0, 1000, "--material-noise");
  within(settings.threads, 1, 256, "--threads");
  const GameSettings& game = settings.game;
  constexpr std::uint64_t kMany = 1'000'000'000;
  within(game.nodes.depth, 0, 100, "--depth");
  require(game.nodes.soft_nodes >= (game.nodes.depth > 0 ? 0 : 1) && game.nodes.soft_nodes <= kMany,
          "--nodes", game.nodes.soft_nodes, "1 to 1000000000, or 0 with a depth");
  within(game.nodes.late_soft_nodes, std::uint64_t{0}, kMany, "--late-nodes");
  within(game.nodes.late_ply, 0, kMaxGamePlies, "--late-ply");
  require(game.nodes.spread >= 0 && game.nodes.spread < 1, "--node-spread", game.nodes.spread,
          "0 to less than 1");
  const ExplorationSettings& exploration = game.exploration;
  within(exploration.share, 0.0, 1.0, "--explore");
  within(exploration.lines, 2, 100, "--explore-lines");
  require(exploration.temperature_cp > 0, "--explore-temperature", exploration.temperature_cp,
          "more than 0 cp");
  within(exploration.max_loss_cp, 0, 32000, "--explore-loss");
  within(exploration.last_ply, 0, kMaxGamePlies, "--explore-until");
  const OpeningSettings& openings = game.openings;
  within(openings.random_plies, 0, 100, "--random-plies");
  within(openings.max_score_cp, 0, 32000, "--opening-limit");
  require(openings.check_nodes >= 1, "opening check nodes", openings.check_nodes, "1 or more");
  require(game.max_plies > openings.random_plies + 1 && game.max_plies <= kMaxGamePlies, "--max-plies",
          game.max_plies, "more than the random plies, and at most 2000");
  const AdjudicationSettings& adjudication = game.adjudication;
  within(adjudication.played_out_share, 0.0, 1.0, "--played-out");
  within(adjudication.win_score_cp, 1, 32000, "--win-score");
  within(adjudication.win_plies, 0, 1000, "--win-plies");
  within(adjudication.draw_plies, 0, 1000, "--draw-plies");
  within(adjudication.draw_score_cp, 0, 32000, "--draw-score");
  within(adjudication.draw_from_ply, 0, kMaxGamePlies, "--draw-from-ply");
}

}  // namespace farrier
