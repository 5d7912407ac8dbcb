// Batches hold what the engine's own numbering of a position says, whatever the net's scheme.
#include "trainer/batch_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/nnue/input_map.h"
#include "selfplay/data/replay.h"
#include "tests/selfplay/data/test_games.h"
#include "tests/support/random_net.h"

namespace farrier {
namespace {

template <class R>
class Encoding : public testing::Test {};
using AllRules = testing::Types<StandardRules, Crazyhouse, Knightmate, PocketKnight>;
TYPED_TEST_SUITE(Encoding, AllRules);

std::vector<FeatureIndex> sorted(std::span<const FeatureIndex> rows) {
  std::vector<FeatureIndex> all(rows.begin(), rows.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<FeatureIndex> sorted_view(const SparseBatch& batch, std::size_t view) {
  const auto first = static_cast<std::size_t>(batch.offsets[view]);
  const auto last = static_cast<std::size_t>(batch.offsets[view + 1]);
  return sorted(std::span(batch.indices).subspan(first, last - first));
}

/// The same by the way of the engine: its inputs, mapped.
template <VariantRules R>
std::vector<FeatureIndex> expected_view(const Board& board, Color view, const InputMap& map) {
  FeatureList inputs, rows;
  active_features<R>(board, view, inputs);
  map.map_view(inputs, rows);
  return sorted({rows.begin(), rows.size()});
}

template <VariantRules R>
std::vector<Board> boards_of_random_games(int games) {
  std::vector<Board> boards;
  for (const GameRecord& game : random_games<R>(games, 61))
    replay<R>(game, [&](const Board& board, Move, std::int16_t, std::size_t) { boards.push_back(board); });
  return boards;
}

TYPED_TEST(Encoding, GivesTheRowsThatTheEngineReads) {
  const std::vector<Board> boards = boards_of_random_games<TypeParam>(8);
  std::vector<PackedPosition> positions;
  for (const Board& board : boards) positions.push_back(pack<TypeParam>(board));
  for (const Architecture& architecture : various_architectures(TypeParam::kVariant)) {
    SparseBatch batch;
    BatchEncoder(TypeParam::kVariant, architecture).encode(positions, batch);
    ASSERT_EQ(batch.size(), boards.size());
    const InputMap map(TypeParam::kVariant, architecture.features);
    for (std::size_t p = 0; p < boards.size(); ++p) {
      const Color stm = boards[p].side_to_move;
      ASSERT_EQ(sorted_view(batch, 2 * p), expected_view<TypeParam>(boards[p], stm, map));
      ASSERT_EQ(sorted_view(batch, 2 * p + 1), expected_view<TypeParam>(boards[p], ~stm, map));
      FeatureList inputs;
      active_features<TypeParam>(boards[p], stm, inputs);
      const MenCounts men = count_men(inputs, TypeParam::kVariant);
      ASSERT_EQ(batch.bucket(p), architecture.output_bucket(men.on_board, men.in_hand));
    }
  }
}

TYPED_TEST(Encoding, TakesNothingFromAnEarlierUseOfTheBatch) {
  const std::vector<Board> boards = boards_of_random_games<TypeParam>(2);
  std::vector<PackedPosition> positions;
  for (const Board& board : boards) positions.push_back(pack<TypeParam>(board));
  positions.back().score_cp_stm = -31;
  positions.back().result_stm = -1;
  const std::vector<PackedPosition> last(positions.end() - 3, positions.end());
  const BatchEncoder encoder(TypeParam::kVariant, Architecture());
  SparseBatch fresh, used;
  encoder.encode(last, fresh);
  encoder.encode(positions, used);
  encoder.encode(last, used);
  EXPECT_EQ(used.indices, fresh.indices);
  EXPECT_EQ(used.offsets, fresh.offsets);
  EXPECT_EQ(used.score_cp_stm, fresh.score_cp_stm);
  EXPECT_EQ(used.result_stm, fresh.result_stm);
  EXPECT_EQ(fresh.score_cp_stm.back(), -31);
  EXPECT_EQ(fresh.result_stm.back(), 0);
}

TEST(Packing, HoldsNoMoreMenInHandThanThereAreInputs) {
  Board board = parse_fen<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Qnp] w - - 0 1").value_or_throw("FEN");
  // As by captures of officers that a FEN without marks doesn't tell to be promoted pawns.
  board.set_in_hand(Color::White, PieceType::Queen, 3);
  const PackedPosition packed = pack<Crazyhouse>(board);
  EXPECT_EQ(packed.in_hand, 4);
  FeatureList inputs;
  active_features<Crazyhouse>(board, Color::White, inputs);
  EXPECT_EQ(count_men(inputs, Variant::Crazyhouse).in_hand, packed.in_hand);
}

}  // namespace
}  // namespace farrier
