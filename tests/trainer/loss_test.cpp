#include "trainer/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <torch/torch.h>

#include "engine/base/rng.h"

namespace farrier {
namespace {

TEST(ScoreScale, IsFoundAgainFromResultsThatFollowIt) {
  for (int scale : {150, 400, 900}) {
    Rng rng(static_cast<std::uint64_t>(scale));
    ScoreHistogram histogram;
    for (int i = 0; i < 200000; ++i) {
      const int score = static_cast<int>(rng.below(2001)) - 1000;
      histogram.add(score, rng.uniform() < expected_result(score, scale) ? 1 : -1);
    }
    EXPECT_NEAR(histogram.fit_scale_cp(), scale, 0.03 * scale);
  }
}

TEST(ScoreScale, StaysWithinItsBoundsOnDataThatSaysNothing) {
  ScoreHistogram draws;
  for (int score = -500; score <= 500; ++score) draws.add(score, 0);
  EXPECT_EQ(draws.fit_scale_cp(), 2000);
  ScoreHistogram certain;
  for (int score = 1; score <= 500; ++score) certain.add(score, 1);
  EXPECT_EQ(certain.fit_scale_cp(), 50);
}

TEST(ScoreScale, CoherenceTellsLabelsOfTheWrongViewpoint) {
  ScoreHistogram right;
  ScoreHistogram wrong;
  for (int score = 301; score <= 500; ++score) {
    for (int sign : {1, -1}) {
      right.add(sign * score, sign);
      wrong.add(sign * score, -sign);
    }
  }
  EXPECT_EQ(right.coherence(), 1.0);
  EXPECT_EQ(wrong.coherence(), 0.0);
}

TEST(Labels, MixResultAndScoreByTheResultWeight) {
  EXPECT_DOUBLE_EQ((Labels{1.0, 400}.target(-900, 1)), 1.0);
  EXPECT_NEAR((Labels{0.0, 400}.target(400, 0)), 0.731059, 1e-6);
  EXPECT_NEAR((Labels{0.25, 400}.target(400, 0)), 0.75 * 0.731059, 1e-6);
}

std::vector<Loss> all_losses() {
  return {{Loss::Kind::SquaredError, 0},
          {Loss::Kind::CrossEntropy, 0},
          {Loss::Kind::Power, 2.5},
          {Loss::Kind::Power, 1.5}};
}

TEST(Loss, OfABatchIsTheMeanOverItsPositions) {
  const std::vector<float> logits{-9, -1, 0, 0.3F, 2, 40};
  const std::vector<float> targets{0.1F, 0.8F, 0.5F, 1, 0, 0.9F};
  for (const Loss& loss : all_losses()) {
    double mean = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) mean += loss.of(logits[i], targets[i]) / 6;
    EXPECT_NEAR(loss.mean(torch::tensor(logits), torch::tensor(targets)).item<float>(), mean, 1e-5);
  }
}

TEST(Loss, HasTheSlopeThatItsValuesTell) {
  const std::vector<float> targets{0.1F, 0.8F, 0.5F, 0.9F, 0.3F};
  const std::vector<float> values{-2, 1, 0.4F, -0.7F, 3};
  for (const Loss& loss : all_losses()) {
    torch::Tensor logits = torch::tensor(values).requires_grad_(true);
    loss.mean(logits, torch::tensor(targets)).backward();
    for (std::size_t i = 0; i < values.size(); ++i) {
      constexpr double kSmall = 1e-4;
      const double slope =
          (loss.of(values[i] + kSmall, targets[i]) - loss.of(values[i] - kSmall, targets[i])) / (2 * kSmall);
      EXPECT_NEAR(logits.grad()[static_cast<std::int64_t>(i)].item<float>(), slope / 5, 1e-5);
    }
  }
}

TEST(Loss, OfAForecastThatHitsItsTargetHasNoSlopeAndIsANumber) {
  for (const Loss& loss : all_losses()) {
    torch::Tensor logits = torch::zeros({3}).requires_grad_(true);
    loss.mean(logits, torch::full({3}, 0.5F)).backward();
    EXPECT_EQ(logits.grad().abs().max().item<float>(), 0);
  }
}

TEST(Loss, OfAPowerBeyondTwoWeighsLargeErrorsMore) {
  const Loss square;
  const Loss power{Loss::Kind::Power, 2.5};
  EXPECT_GT(power.of(4, 0) / power.of(0.5, 0.4), square.of(4, 0) / square.of(0.5, 0.4));
}

}  // namespace
}  // namespace farrier
