// The sequential test as a whole: simulated matches between players of known strength end with the right
// verdict as often as promised, after as many pairs as theory expects.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "engine/base/rng.h"
#include "selfplay/match/elo.h"
#include "selfplay/match/pentanomial.h"
#include "selfplay/match/sprt.h"

namespace farrier {
namespace {

using Distribution = std::array<double, 5>;

double normalised_elo_of(const Distribution& p) {
  double mean = 0, variance = 0;
  for (int i = 0; i < 5; ++i) mean += p[i] * i / 4.0;
  for (int i = 0; i < 5; ++i) variance += p[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
  return kNormalisedElo * (mean - 0.5) / std::sqrt(2 * variance);
}

/// A symmetric distribution, tilted exponentially until its true normalised Elo is `nelo`.
Distribution distribution_of(double nelo) {
  constexpr Distribution kEven{0.10, 0.20, 0.40, 0.20, 0.10};
  Distribution p = kEven;
  double low = -8, high = 8;
  for (int step = 0; step < 60; ++step) {
    const double tilt = (low + high) / 2;
    double sum = 0;
    for (int i = 0; i < 5; ++i) sum += p[i] = kEven[i] * std::exp(tilt * (i / 4.0 - 0.5));
    for (double& share : p) share /= sum;
    (normalised_elo_of(p) < nelo ? low : high) = tilt;
  }
  return p;
}

struct Simulation {
  int accepted_h1 = 0;
  int undecided = 0;
  double mean_pairs = 0;
};

Simulation simulate(double true_nelo, const SprtSettings& sprt, int tests, std::uint64_t seed) {
  const Distribution p = distribution_of(true_nelo);
  Simulation result;
  for (int test = 0; test < tests; ++test) {
    Rng rng(derive_seed(seed, 0, test));
    Pentanomial pairs;
    SprtVerdict verdict = SprtVerdict::Continue;
    while (verdict == SprtVerdict::Continue && pairs.count() < 5000) {
      double draw = rng.uniform();
      int cell = 0;
      while (cell < 4 && draw >= p[cell]) draw -= p[cell++];
      ++pairs.pairs[cell];
      verdict = sprt_verdict(pairs.cells(), sprt);
    }
    if (verdict == SprtVerdict::AcceptH1) ++result.accepted_h1;
    if (verdict == SprtVerdict::Continue) ++result.undecided;
    result.mean_pairs += static_cast<double>(pairs.count()) / tests;
  }
  return result;
}

// 5% of 2,000 is 100 with a deviation of 9.7: 130 allows three deviations. Wald's expected length is 128
// pairs for a width of 50 at either hypothesis (shared/stats/README.md), a little more with the overshoot
// over the bound.
TEST(Sprt, ErrorRatesOfTwoThousandTestsStayWithinTheirBounds) {
  const SprtSettings sprt{.elo0 = 0, .elo1 = 50};
  const Simulation at_h0 = simulate(sprt.elo0, sprt, 2000, 1);
  EXPECT_EQ(at_h0.undecided, 0);
  EXPECT_LE(at_h0.accepted_h1, 130);
  EXPECT_NEAR(at_h0.mean_pairs, 135, 20);

  const Simulation at_h1 = simulate(sprt.elo1, sprt, 2000, 2);
  EXPECT_EQ(at_h1.undecided, 0);
  EXPECT_GE(at_h1.accepted_h1, 2000 - 130);
  EXPECT_NEAR(at_h1.mean_pairs, 135, 20);
}

TEST(Sprt, AStrengthBetweenTheHypothesesTakesLongestAndSplitsEvenly) {
  const SprtSettings sprt{.elo0 = 0, .elo1 = 50};
  const Simulation between = simulate(25, sprt, 1000, 3);
  EXPECT_NEAR(between.accepted_h1, 500, 60);
  EXPECT_NEAR(between.mean_pairs, 215, 30);
}

}  // namespace
}  // namespace farrier
