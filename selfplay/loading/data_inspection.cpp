#include "selfplay/loading/data_inspection.h"

#include <filesystem>
#include <memory>
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
  std::shared_ptr<PackedBlock> packed = std::make_shared<PackedBlock>();
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
  FilteredPositions<PackedPosition>& part = training ? out.packed->training : out.packed->validation;
  replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
    const bool kept = keeps<R>(filters, game, board, ply, part.counts);
    hash =
        mix64(hash ^ (static_cast<std::uint64_t>(move.bits()) << 32 |
                      static_cast<std::uint64_t>(static_cast<std::uint16_t>(score)) << 1 | (kept ? 1U : 0U)));
    games_hash = mix64(games_hash ^ move.bits()) + static_cast<std::uint16_t>(score);
    if (kept) part.positions.push_back(pack_labelled<R>(board, game, ply));
  });
  ++out.sums.games;
}

template <VariantRules R>
InspectedBlock inspect_block(const std::vector<GameRecord>& games, const KeptPositions& kept,
                             const std::filesystem::path& shard) {
  InspectedBlock out;
  for (const GameRecord& game : games) {
    try {
      inspect_game<R>(game, kept.filters(), kept.split(), out);
    } catch (const UserError& error) {
      throw UserError(shard.string(), fmt::format("game of seed {:#x}: {}", game.game_seed, error.what()));
    }
  }
  for (FilteredPositions<PackedPosition>* part : {&out.packed->training, &out.packed->validation}) {
    part->positions.shrink_to_fit();
    out.sums.filtered += part->counts;
  }
  out.sums.training_positions = out.packed->training.counts.kept;
  out.sums.validation_positions = out.packed->validation.counts.kept;
  return out;
}

}  // namespace

DataInspection inspect_data(const DataMix& mix, KeptPositions& kept, int workers,
                            const std::function<void(int score_cp_stm, int result_stm)>& see) {
  DataInspection all;
  with_rules(mix.variant(), [&]<VariantRules R>() {
    for_each_block(mix, mix.blocks(), workers,
                   {.needs_no_games = nullptr,
                    .work = [&](const DataBlock& block, const std::vector<GameRecord>& games) -> std::any {
                      InspectedBlock out = inspect_block<R>(games, kept, mix.shards()[block.shard].path);
                      kept.offer(block, out.packed);
                      return out;
                    },
                    .take =
                        [&](const DataBlock&, std::any& result) {
                          const auto& [sums, packed] = std::any_cast<const InspectedBlock&>(result);
                          all.games += sums.games;
                          all.training_positions += sums.training_positions;
                          all.validation_positions += sums.validation_positions;
                          all.filtered += sums.filtered;
                          all.fingerprint = mix64(all.fingerprint ^ sums.fingerprint);
                          all.games_fingerprint = mix64(all.games_fingerprint ^ sums.games_fingerprint);
                          for (const PackedPosition& p : packed->training.positions)
                            see(p.score_cp_stm, p.result_stm);
                          return true;
                        }});
  });
  return all;
}

}  // namespace farrier
