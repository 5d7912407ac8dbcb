// Parameters fitted by noisy comparisons alone.
#include "selfplay/tune/spsa.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/rng.h"

namespace farrier {
namespace {

/// Two parameters whose best values are 70 and 30; the further from them, the weaker.
double strength(const std::vector<int>& values) {
  return -std::pow((values[0] - 70) / 25.0, 2) - std::pow((values[1] - 30) / 25.0, 2);
}

/// Two games whose score depends on the difference in strength, and on chance.
int play(const SpsaProbe& probe, Rng& rng) {
  const double win = 1 / (1 + std::exp(strength(probe.minus) - strength(probe.plus)));
  int result = 0;
  for (int game = 0; game < 2; ++game) result += rng.uniform() < win ? 1 : -1;
  return result;
}

std::vector<SpsaParameter> two_parameters() {
  return {{.name = "a", .value = 40, .low = 0, .high = 100, .step = 5},
          {.name = "b", .value = 60, .low = 0, .high = 100, .step = 5}};
}

TEST(Spsa, FindsTheBestValuesFromNoisyGames) {
  std::vector<SpsaParameter> parameters = two_parameters();
  const SpsaSchedule schedule{.pairs = 20000, .rate = 0.02};
  Rng rng(7);
  for (std::int64_t pair = 0; pair < schedule.pairs; ++pair) {
    const SpsaProbe probe = make_probe(parameters, schedule, 1, pair);
    learn_result(parameters, schedule, probe, pair, play(probe, rng));
  }
  EXPECT_NEAR(parameters[0].value, 70, 6);
  EXPECT_NEAR(parameters[1].value, 30, 6);
}

TEST(Spsa, AProbeDependsOnSeedAndPairAlone) {
  const std::vector<SpsaParameter> parameters = two_parameters();
  const SpsaSchedule schedule{.pairs = 100};
  const SpsaProbe probe = make_probe(parameters, schedule, 3, 17);
  const SpsaProbe again = make_probe(parameters, schedule, 3, 17);
  EXPECT_EQ(probe.plus, again.plus);
  EXPECT_EQ(probe.minus, again.minus);
  bool differs = false;
  for (std::int64_t pair = 18; pair < 40; ++pair)
    differs = differs || make_probe(parameters, schedule, 3, pair).signs != probe.signs;
  EXPECT_TRUE(differs);
}

TEST(Spsa, ValuesAndProbesStayWithinTheirBounds) {
  std::vector<SpsaParameter> parameters = {{.name = "a", .value = 99, .low = 0, .high = 100, .step = 20}};
  const SpsaSchedule schedule{.pairs = 200, .rate = 1};
  for (std::int64_t pair = 0; pair < schedule.pairs; ++pair) {
    const SpsaProbe probe = make_probe(parameters, schedule, 5, pair);
    EXPECT_GE(std::min(probe.plus[0], probe.minus[0]), 0);
    EXPECT_LE(std::max(probe.plus[0], probe.minus[0]), 100);
    learn_result(parameters, schedule, probe, pair, probe.plus[0] > probe.minus[0] ? 2 : -2);
    EXPECT_LE(parameters[0].value, 100);
  }
  EXPECT_NEAR(parameters[0].value, 100, 1e-9);
}

TEST(Spsa, ADrawnPairMovesNothing) {
  std::vector<SpsaParameter> parameters = two_parameters();
  const SpsaSchedule schedule{.pairs = 100};
  learn_result(parameters, schedule, make_probe(parameters, schedule, 1, 0), 0, 0);
  EXPECT_EQ(parameters, two_parameters());
}

}  // namespace
}  // namespace farrier
