// Distinct positions are counted exactly below the bound, and well beyond it.
#include "selfplay/records/key_sample.h"

#include <gtest/gtest.h>

#include "engine/base/rng.h"

namespace farrier {
namespace {

TEST(KeySample, CountsExactlyBelowItsBound) {
  KeySample sample(1000);
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t key = 0; key < 1000; ++key) sample.insert(key);
  EXPECT_EQ(sample.distinct(), 1000u);
  EXPECT_TRUE(sample.exact());
}

TEST(KeySample, EstimatesBeyondItsBound) {
  KeySample sample(4096);
  Rng rng(1);
  for (int i = 0; i < 300000; ++i) sample.insert(rng());
  EXPECT_FALSE(sample.exact());
  EXPECT_NEAR(static_cast<double>(sample.distinct()), 300000, 300000 * 4 / 64.0 / 0.7);
}

TEST(KeySample, DoesNotDependOnTheOrder) {
  KeySample up(500), down(500);
  for (std::uint64_t key = 0; key < 20000; ++key) {
    up.insert(key);
    down.insert(19999 - key);
  }
  EXPECT_EQ(up.distinct(), down.distinct());
  EXPECT_EQ(up.share_in(down), 1.0);
}

TEST(KeySample, TellsTheShareThatAnotherHasToo) {
  KeySample a, b, small(512);
  for (std::uint64_t key = 0; key < 8000; ++key) a.insert(key);
  for (std::uint64_t key = 6000; key < 50000; ++key) {
    b.insert(key);
    small.insert(key);
  }
  EXPECT_DOUBLE_EQ(a.share_in(b), 0.25);
  EXPECT_NEAR(a.share_in(small), 0.25, 0.15);
  EXPECT_EQ(KeySample().share_in(a), 0);
}

}  // namespace
}  // namespace farrier
