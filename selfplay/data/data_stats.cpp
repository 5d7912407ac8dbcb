#include "selfplay/data/data_stats.h"

#include <cstdlib>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"

namespace farrier {
namespace {

void add_coherence(Coherence& coherence, const GameRecord& game, Color first_mover) {
  if (game.result_white == 0) return;
  Color mover = first_mover;
  for (const std::int16_t score : game.scores_cp_stm) {
    if (score != kNoScore && std::abs(score) >= kClearScoreCp) {
      const int result_stm = mover == Color::White ? game.result_white : -game.result_white;
      ++coherence.judged;
      coherence.agreeing += (score > 0) == (result_stm > 0);
    }
    mover = ~mover;
  }
}

/// The second field of a FEN.
Color side_to_move(const std::string& fen) {
  return fen.find(" b ") == std::string::npos ? Color::White : Color::Black;
}

}  // namespace

DataStats measure_data(const std::vector<std::filesystem::path>& shards) {
  DataStats stats;
  stats.sums = sum_shards(shards);
  GameRecord game;
  for (const auto& path : shards)
    for (GameReader reader(path); reader.next(game);)
      add_coherence(stats.coherence, game, side_to_move(game.start_fen));
  return stats;
}

std::string stats_text(const DataStats& stats, std::size_t shards) {
  const GameSums& sums = stats.sums.games;
  const auto percent = [&](std::uint64_t n) {
    return sums.games == 0 ? 0.0 : 100.0 * static_cast<double>(n) / static_cast<double>(sums.games);
  };
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  std::string text = fmt::format("variant     {}\nshards      {}, {} bytes, {:.2f} a position\n",
                                 variant_name(stats.sums.variant), shards, stats.sums.bytes,
                                 ratio(stats.sums.bytes, sums.positions));
  text += fmt::format("games       {}, {:.1f} plies each\n", sums.games, ratio(sums.plies, sums.games));
  text += fmt::format("positions   {} scored, {} plies with the random ones\n", sums.positions, sums.plies);
  text += fmt::format("results     white wins {} ({:.1f}%), draws {} ({:.1f}%), black wins {} ({:.1f}%)\n",
                      sums.white_wins, percent(sums.white_wins), sums.draws, percent(sums.draws),
                      sums.black_wins, percent(sums.black_wins));
  text += "ended by   ";
  std::string_view separator = " ";
  for (std::size_t t = 0; t < sums.terminations.size(); ++t) {
    if (sums.terminations[t] == 0) continue;
    text += fmt::format("{}{} {} ({:.1f}%)", separator, termination_name(static_cast<Termination>(t)),
                        sums.terminations[t], percent(sums.terminations[t]));
    separator = ", ";
  }
  text +=
      fmt::format("\ncoherence   {:.1f}% of {} scores beyond {} cp in decided games point at the winner\n",
                  100 * stats.coherence.share(), stats.coherence.judged, kClearScoreCp);
  return text;
}

ShardSetSums prove_data(const std::vector<std::filesystem::path>& shards) {
  ShardSetSums sums = sum_shards(shards);
  with_rules(sums.variant, [&]<VariantRules R>() {
    GameRecord game;
    for (const auto& path : shards) {
      GameReader reader(path);
      for (std::uint64_t number = 0; reader.next(game); ++number) {
        const auto fault = find_fault<R>(game);
        if (fault)
          throw UserError(path.string(), fmt::format("game {} breaks the rules: {}; make the data again: {}",
                                                     number, *fault, describe_game<R>(game)));
      }
    }
  });
  return sums;
}

}  // namespace farrier
