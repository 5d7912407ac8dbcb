#include "trainer/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/rng.h"
#include "trainer/schedules.h"

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

TEST(LossSums, SplitTheErrorIntoItsParts) {
  LossSums sums;
  sums.add(0, 0, 1, {0.5, 400});  // forecast 0.5, score says 0.5, result 1, target 0.75
  EXPECT_DOUBLE_EQ(sums.target, 0.0625);
  EXPECT_DOUBLE_EQ(sums.score, 0);
  EXPECT_DOUBLE_EQ(sums.result, 0.25);
}

TEST(CosineSchedule, RisesThenFallsFromStartToEnd) {
  const CosineSchedule schedule{1e-3, 1e-5, 10, 1000};
  EXPECT_LT(schedule.at(0), 1.1e-4);
  EXPECT_NEAR(schedule.at(10), 1e-3, 1e-9);
  EXPECT_NEAR(schedule.at(505), (1e-3 + 1e-5) / 2, 1e-6);
  EXPECT_NEAR(schedule.at(999), 1e-5, 1e-7);
  for (int step = 10; step < 999; ++step) EXPECT_GT(schedule.at(step), schedule.at(step + 1));
}

}  // namespace
}  // namespace farrier
