// The fused optimiser against the algorithm written down step by step, and its independence of threads.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/rng.h"
#include "trainer/adamw.h"

namespace farrier {
namespace {

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

std::vector<float> random_values(std::size_t count, double scale, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * scale);
  return values;
}

/// AdamW as Loshchilov and Hutter give it, in double precision, on one number.
struct PlainAdamw {
  double value, first = 0, second = 0;
  int steps = 0;

  void step(double gradient, const AdamwSettings& s) {
    ++steps;
    value -= s.learning_rate * s.weight_decay * value;
    first = s.beta1 * first + (1 - s.beta1) * gradient;
    second = s.beta2 * second + (1 - s.beta2) * gradient * gradient;
    const double corrected_first = first / (1 - std::pow(s.beta1, steps));
    const double corrected_second = second / (1 - std::pow(s.beta2, steps));
    value -= s.learning_rate * corrected_first / (std::sqrt(corrected_second) + s.epsilon);
  }
};

TEST(Adamw, FollowsTheAlgorithmWithAChangingLearningRate) {
  std::vector<float> values = random_values(1000, 1, 1);
  std::vector<PlainAdamw> plain;
  for (float v : values) plain.push_back({v});
  AdamwState state;
  AdamwSettings settings;
  settings.weight_decay = 0.1;
  for (int step = 0; step < 50; ++step) {
    settings.learning_rate = 1e-2 / (1 + step);
    const auto gradients = random_values(values.size(), 0.01, 100 + static_cast<std::uint64_t>(step));
    const TrainedValues parameters[] = {{values.data(), gradients.data(), values.size(), kNoLimit}};
    adamw_step(state, parameters, settings, arena_parallel());
    for (std::size_t i = 0; i < values.size(); ++i) plain[i].step(gradients[i], settings);
  }
  EXPECT_EQ(state.steps, 50);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], plain[i].value, 2e-6) << i;
}

TEST(Adamw, KeepsEachParameterWithinItsOwnLimit) {
  std::vector<float> a{1.9F, -1.9F, 0.0F}, b{1.9F, -1.9F, 0.0F};
  const std::vector<float> gradients{-1, 1, 0};  // outwards
  AdamwSettings settings;
  settings.learning_rate = 0.5;
  settings.weight_decay = 0;
  AdamwState state;
  const TrainedValues parameters[] = {{a.data(), gradients.data(), 3, 1.98F},
                                      {b.data(), gradients.data(), 3, kNoLimit}};
  adamw_step(state, parameters, settings, arena_parallel());
  EXPECT_EQ(a, (std::vector<float>{1.98F, -1.98F, 0.0F}));
  EXPECT_NEAR(b[0], 2.4F, 1e-5);
  EXPECT_NEAR(b[1], -2.4F, 1e-5);
}

TEST(Adamw, LeavesAParameterWithoutGradientAlone) {
  std::vector<float> a = random_values(100, 1, 2);
  const std::vector<float> before = a;
  const TrainedValues parameters[] = {{a.data(), nullptr, a.size(), 0.1F}};
  AdamwState state;
  adamw_step(state, parameters, {}, arena_parallel());
  EXPECT_EQ(a, before);
}

TEST(Adamw, DoesNotHideWhatIsNoNumberBehindTheLimit) {
  std::vector<float> a(20, 0.5F);
  const std::vector<float> gradients(20, std::numeric_limits<float>::quiet_NaN());
  const TrainedValues parameters[] = {{a.data(), gradients.data(), a.size(), 1.0F}};
  AdamwState state;
  adamw_step(state, parameters, {}, arena_parallel());
  for (float v : a) EXPECT_TRUE(std::isnan(v));
}

TEST(Adamw, IsTheSameToTheBitOnOneThreadAndOnThree) {
  std::vector<std::vector<float>> results;
  for (int threads : {1, 3}) {
    std::vector<float> values = random_values(100'003, 1, 3);
    AdamwState state;
    tbb::task_arena arena(threads);
    arena.execute([&] {
      for (std::uint64_t step = 0; step < 5; ++step) {
        const auto gradients = random_values(values.size(), 1, 4 + step);
        const TrainedValues parameters[] = {{values.data(), gradients.data(), values.size(), 1.0F}};
        adamw_step(state, parameters, {}, arena_parallel());
      }
    });
    results.push_back(values);
    results.push_back(state.moments.at(0).second);
  }
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[3]);
}

}  // namespace
}  // namespace farrier
