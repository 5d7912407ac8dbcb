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
  const auto require = [](bool ok, const char* option, const char* range) {
    if (!ok) throw WrongCall(option, std::string("out of range; give ") + range);
  };
  const GameSettings& game = settings.game;
  require(settings.games || settings.positions, "games or positions", "how many to make");
  require(settings.games_per_shard >= 1 && settings.games_per_shard <= 1'000'000, "games per shard",
          "1 to 1000000");
  require(settings.workers >= 0 && settings.workers <= 1024, "workers", "1 to 1024, or 0 for all cores");
  require(settings.hash_mib >= 1 && settings.hash_mib <= 65536, "hash", "1 to 65536 MiB");
  require(settings.material_noise_cp >= 0 && settings.material_noise_cp <= 1000, "material noise",
          "0 to 1000 cp");
  constexpr std::uint64_t kMany = 1'000'000'000;
  require(settings.threads >= 1 && settings.threads <= 256, "threads a game", "1 to 256");
  require(game.nodes.soft_nodes >= (game.nodes.depth > 0 ? 0 : 1) && game.nodes.soft_nodes <= kMany,
          "soft nodes", "1 to 1000000000, or 0 with a depth");
  require(game.nodes.late_soft_nodes <= kMany, "late soft nodes", "0 to 1000000000");
  require(game.nodes.late_ply >= 0 && game.nodes.late_ply <= kMaxGamePlies, "late ply", "0 to 2000");
  require(game.nodes.spread >= 0 && game.nodes.spread < 1, "node spread", "0 to less than 1");
  require(game.nodes.depth >= 0 && game.nodes.depth <= 100, "depth", "1 to 100, or 0 for none");
  const ExplorationSettings& exploration = game.exploration;
  require(exploration.share >= 0 && exploration.share <= 1, "exploration share", "0 to 1");
  require(exploration.lines >= 2 && exploration.lines <= 100, "exploration lines", "2 to 100");
  require(exploration.temperature_cp > 0, "exploration temperature", "more than 0 cp");
  require(exploration.max_loss_cp >= 0, "exploration's highest loss", "0 cp or more");
  require(game.openings.random_plies >= 0 && game.openings.random_plies <= 100, "random plies", "0 to 100");
  require(game.openings.check_nodes >= 1, "opening check nodes", "1 or more");
  require(game.openings.max_score_cp >= 0, "opening score limit", "0 or more");
  require(game.max_plies > game.openings.random_plies + 1 && game.max_plies <= kMaxGamePlies, "ply limit",
          "more than the random plies, and at most 2000");
  require(game.adjudication.played_out_share >= 0 && game.adjudication.played_out_share <= 1,
          "played-out share", "0 to 1");
  require(game.adjudication.win_score_cp > 0, "win score", "more than 0");
}

}  // namespace farrier
