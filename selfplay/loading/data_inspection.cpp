#include "selfplay/loading/data_inspection.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/variants/dispatch.h"
#include "selfplay/data/replay.h"
#include "selfplay/loading/block_pipeline.h"

namespace farrier {
namespace {

struct InspectedBlock {
  DataInspection sums;
  std::vector<std::pair<std::int16_t, std::int8_t>> training_labels;
};

template <VariantRules R>
void inspect_game(const GameRecord& game, const PositionFilters& filters, const GameSplit& split,
                  InspectedBlock& out) {
  std::uint64_t& hash = out.sums.fingerprint;
  std::uint64_t& games_hash = out.sums.games_fingerprint;
  games_hash = mix64(games_hash ^ game.game_seed) + static_cast<std::uint64_t>(game.result_white + 1);
  hash = mix64(hash ^ game.game_seed);
  hash = mix64(hash + static_cast<std::uint64_t>(game.result_white + 1));
  const bool training = split.part_of(game.game_seed) == DataPart::Training;
  std::int64_t& positions = training ? out.sums.training_positions : out.sums.validation_positions;
  replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
    const bool kept = keeps<R>(filters, game, board, ply, out.sums.filtered);
    hash =
        mix64(hash ^ (static_cast<std::uint64_t>(move.bits()) << 32 |
                      static_cast<std::uint64_t>(static_cast<std::uint16_t>(score)) << 1 | (kept ? 1U : 0U)));
    games_hash = mix64(games_hash ^ move.bits()) + static_cast<std::uint16_t>(score);
    if (!kept) return;
    ++positions;
    if (!training) return;
    const bool white = board.side_to_move == Color::White;
    out.training_labels.emplace_back(
        score, static_cast<std::int8_t>(white ? game.result_white : -game.result_white));
  });
  ++out.sums.games;
}

}  // namespace

DataInspection inspect_data(const DataMix& mix, const PositionFilters& filters, const GameSplit& split,
                            int workers, const std::function<void(int score_cp_stm, int result_stm)>& see) {
  DataInspection all;
  with_rules(mix.variant(), [&]<VariantRules R>() {
    for_each_block(
        mix, mix.blocks(), workers,
        [&](const DataBlock& block, const std::vector<GameRecord>& games) -> std::any {
          InspectedBlock out;
          for (std::size_t i = 0; i < games.size(); ++i) {
            try {
              inspect_game<R>(games[i], filters, split, out);
            } catch (const UserError& error) {
              throw UserError(mix.shards()[block.shard].path.string(),
                              fmt::format("game of seed {:#x}: {}", games[i].game_seed, error.what()));
            }
          }
          return out;
        },
        [&](const DataBlock&, std::any& result) {
          const auto& block = std::any_cast<InspectedBlock&>(result);
          all.games += block.sums.games;
          all.training_positions += block.sums.training_positions;
          all.validation_positions += block.sums.validation_positions;
          all.filtered += block.sums.filtered;
          all.fingerprint = mix64(all.fingerprint ^ block.sums.fingerprint);
          all.games_fingerprint = mix64(all.games_fingerprint ^ block.sums.games_fingerprint);
          for (const auto& [score, outcome] : block.training_labels) see(score, outcome);
          return true;
        });
  });
  return all;
}

}  // namespace farrier
