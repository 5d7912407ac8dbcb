#include "trainer/quantise.h"

#include <gtest/gtest.h>

#include "engine/nnue/architecture.h"
#include "tests/trainer/training_testing.h"

namespace farrier {
namespace {

/// A net whose weights reach over their whole range, so that every clamp and rounding is met.
FloatNet random_net(Variant variant, int hidden, std::uint64_t seed) {
  Rng rng(seed);
  const auto draw = [&](std::size_t count, double bound) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * bound);
    return values;
  };
  FloatNet net;
  net.inputs = feature_count(variant);
  net.hidden = hidden;
  const auto width = static_cast<std::size_t>(hidden);
  net.feature_weights = draw(static_cast<std::size_t>(net.inputs) * width, 0.5);
  net.feature_bias = draw(width, 1.0);
  net.output_weights = draw(2 * width, 1.9);
  net.output_bias = 0.37F;
  return net;
}

template <VariantRules R>
void compare_with_the_engine(int hidden) {
  const Result<Net> quantised = quantise(random_net(R::kVariant, hidden, 3), R::kVariant, 413);
  ASSERT_TRUE(quantised.ok()) << quantised.reason();
  // Through the file's bytes, so that writing and reading are part of the proof.
  const auto net = std::make_shared<const Net>(parse_net(serialise_net(*quantised), "test"));
  const auto evaluator = make_evaluator<R>(net);
  int compared = 0;
  int lowest = 0;
  int highest = 0;
  for (std::uint64_t seed = 0; compared < 10000; ++seed) {
    const GameRecord game = random_game<R>(seed, 120);
    Board board = start_board<R>();
    for (Move move : game.moves) {
      FeatureList stm;
      FeatureList other;
      active_features<R>(board, board.side_to_move, stm);
      active_features<R>(board, ~board.side_to_move, other);
      const int ours = quantised_score_cp_stm(*net, {stm.begin(), stm.size()}, {other.begin(), other.size()});
      ASSERT_EQ(ours, evaluator->evaluate(&board, 0)) << to_fen<R>(board);
      lowest = std::min(lowest, ours);
      highest = std::max(highest, ours);
      ++compared;
      make_move<R>(board, move);
    }
  }
  // The positions differ enough to mean something.
  EXPECT_GT(highest - lowest, 500);
}

TEST(Quantise, EqualsTheEngineToTheUnitInChess) { compare_with_the_engine<StandardRules>(64); }
TEST(Quantise, EqualsTheEngineToTheUnitInCrazyhouse) { compare_with_the_engine<Crazyhouse>(64); }
TEST(Quantise, EqualsTheEngineToTheUnitInKnightmate) { compare_with_the_engine<Knightmate>(32); }
TEST(Quantise, EqualsTheEngineToTheUnitInPocketKnight) { compare_with_the_engine<PocketKnight>(128); }

TEST(Quantise, RoundingErrorIsMeasuredAndSmall) {
  FloatNet net = random_net(Variant::Crazyhouse, 32, 4);
  const Result<Net> quantised = quantise(net, Variant::Crazyhouse, 400);
  ASSERT_TRUE(quantised.ok());
  SparseBatch batch;
  for (const GameRecord& game : random_games_of(Variant::Crazyhouse, 20)) {
    Board board = start_board<Crazyhouse>();
    for (Move move : game.moves) {
      FeatureList view;
      active_features<Crazyhouse>(board, board.side_to_move, view);
      batch.add_view(view);
      view.clear();
      active_features<Crazyhouse>(board, ~board.side_to_move, view);
      batch.add_view(view);
      batch.add_labels(0, 0);
      make_move<Crazyhouse>(board, move);
    }
  }
  const QuantisationError error = measure_quantisation(net, *quantised, batch);
  EXPECT_EQ(error.positions, batch.size());
  EXPECT_GT(error.mean_cp, 0.0);
  EXPECT_LE(error.mean_cp, error.p99_cp);
  EXPECT_LE(error.p99_cp, error.worst_cp);
  EXPECT_LT(error.mean_cp, 20);

  net.feature_weights[0] += 1;  // a wrong float net does not agree
  net.output_bias += 1;
  EXPECT_GT(measure_quantisation(net, *quantised, batch).mean_cp, 300);
}

TEST(Quantise, AnAccumulatorThatCouldOverflowIsRefused) {
  FloatNet net = random_net(Variant::Crazyhouse, 16, 5);
  for (std::size_t i = 0; i < net.feature_weights.size(); i += 16)
    net.feature_weights[i] = 4;  // 34 men: 136 * 255
  const Result<Net> quantised = quantise(net, Variant::Crazyhouse, 400);
  ASSERT_FALSE(quantised.ok());
  EXPECT_NE(quantised.reason().find("16 bits"), std::string::npos) << quantised.reason();
}

TEST(Quantise, WeightsThatAreNoNumbersOrTooLargeAreRefused) {
  FloatNet net = random_net(Variant::Chess, 16, 6);
  net.output_weights[3] = 2.5F;
  EXPECT_FALSE(quantise(net, Variant::Chess, 400).ok());
  net = random_net(Variant::Chess, 16, 6);
  net.feature_weights[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(quantise(net, Variant::Chess, 400).ok());
}

}  // namespace
}  // namespace farrier
