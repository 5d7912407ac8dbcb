#include "engine/nnue/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/rng.h"
#include "engine/nnue/arithmetic.h"
#include "engine/nnue/net_file.h"

namespace farrier {
namespace {

constexpr int kInputs = 40;

/// What the kernels of one width are tried on.
struct Case {
  explicit Case(int hidden, std::uint64_t seed) : width(static_cast<std::size_t>(hidden)) {
    Rng rng(seed);
    const auto draw = [&rng](std::size_t n, int bound) {
      Weights values(n);
      for (auto& v : values)
        v = static_cast<std::int16_t>(static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * bound + 1))) -
                                      bound);
      return values;
    };
    sums = draw(width, 400);
    other = draw(width, 32767);  // far beyond what the clamp lets through
    rows = draw(kInputs * width, 700);
    output = draw(2 * width, kMaxOutputWeight);
    for (int i = 0; i < 10; ++i) inputs.push_back(static_cast<std::uint16_t>(rng.below(kInputs)));
  }

  std::size_t width;
  Weights sums, other, rows, output;
  std::vector<std::uint16_t> inputs;
};

TEST(Kernels, EveryLevelUpdatesByAnyNumberOfRowsAsThePlainSum) {
  for (const KernelLevel& level : kernel_levels())
    for (int hidden : kHiddenWidths) {
      const Case c(hidden, 5);
      for (int added = 0; added <= 5; ++added)
        for (int removed = 0; removed <= 5; ++removed) {
          Weights expected = c.sums;
          for (std::size_t h = 0; h < c.width; ++h) {
            int sum = c.sums[h];
            for (int i = 0; i < added; ++i)
              sum += c.rows[c.inputs[static_cast<std::size_t>(i)] * c.width + h];
            for (int i = 0; i < removed; ++i)
              sum -= c.rows[c.inputs[static_cast<std::size_t>(5 + i)] * c.width + h];
            expected[h] = static_cast<std::int16_t>(sum);
          }
          Weights elsewhere(c.width), in_place = c.sums;
          const InputList add{c.inputs.data(), added}, remove{c.inputs.data() + 5, removed};
          const NetKernels& kernels = level.kernels(hidden, Activation::Screlu);
          kernels.update(c.sums.data(), elsewhere.data(), c.rows.data(), add, remove);
          kernels.update(in_place.data(), in_place.data(), c.rows.data(), add, remove);
          ASSERT_EQ(elsewhere, expected) << level.name << ' ' << hidden << ' ' << added << ' ' << removed;
          ASSERT_EQ(in_place, expected) << level.name << ' ' << hidden << ' ' << added << ' ' << removed;
        }
    }
}

/// The clamped sums of a view, and what the activation makes of two that go together.
std::vector<std::pair<int, int>> factors(const Weights& sums, Activation activation) {
  std::vector<std::pair<int, int>> all;
  const std::size_t count = activation == Activation::Pairwise ? sums.size() / 2 : sums.size();
  for (std::size_t h = 0; h < count; ++h) {
    const int first = std::clamp<int>(sums[h], 0, kQa);
    all.emplace_back(first, activation == Activation::Crelu    ? kQa
                            : activation == Activation::Screlu ? first
                                                               : std::clamp<int>(sums[h + count], 0, kQa));
  }
  return all;
}

TEST(Kernels, EveryLevelGivesTheOutputAndTheActivationsOfTheFormula) {
  for (const KernelLevel& level : kernel_levels())
    for (int hidden : kHiddenWidths)
      for (Activation activation : kActivations)
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          const Case c(hidden, seed);
          std::int64_t sum = 0;
          Weights expected;
          for (const Weights& view : {c.sums, c.other})
            for (const auto& [first, second] : factors(view, activation)) {
              sum += first * second * c.output[expected.size()];
              expected.push_back(static_cast<std::int16_t>(first * second / 256));
            }
          if (activation == Activation::Crelu) sum /= kQa;
          const NetKernels& kernels = level.kernels(hidden, activation);
          ASSERT_EQ(kernels.output_sum(c.sums.data(), c.other.data(), c.output.data()), sum)
              << level.name << ' ' << hidden;
          Weights active(expected.size());
          kernels.activate(c.sums.data(), c.other.data(), active.data());
          ASSERT_EQ(active, expected) << level.name << ' ' << hidden;
        }
}

TEST(Kernels, EveryLevelGivesTheFurtherLayerOfTheFormula) {
  for (const KernelLevel& level : kernel_levels())
    for (int inputs : {8, 16, 32, 64, 256, 2048})
      for (int outputs : {1, 8, 32}) {
        Rng rng(static_cast<std::uint64_t>(inputs));
        Weights in, weights;
        std::vector<std::int32_t> bias, expected, out(static_cast<std::size_t>(outputs));
        for (int i = 0; i < inputs; ++i)
          in.push_back(static_cast<std::int16_t>(rng.below(kMaxActivation + 1)));
        for (int i = 0; i < inputs * outputs; ++i)
          weights.push_back(static_cast<std::int16_t>(static_cast<int>(rng.below(255)) - kMaxOutputWeight));
        for (int o = 0; o < outputs; ++o) {
          bias.push_back(static_cast<std::int32_t>(rng.below(100000)) - 50000);
          int sum = bias.back();
          for (int i = 0; i < inputs; ++i)
            sum += in[static_cast<std::size_t>(i)] * weights[static_cast<std::size_t>(o * inputs + i)];
          expected.push_back(sum);
        }
        level.kernels(16, Activation::Crelu)
            .dense(in.data(), inputs, weights.data(), bias.data(), out.data(), outputs);
        ASSERT_EQ(out, expected) << level.name << ' ' << inputs << ' ' << outputs;
      }
}

TEST(Kernels, TheBestLevelThatRunsIsChosen) {
  ASSERT_FALSE(kernel_levels().empty());
  for (int hidden : kHiddenWidths)
    for (Activation activation : kActivations)
      EXPECT_EQ(&net_kernels(hidden, activation), &kernel_levels().back().kernels(hidden, activation));
}

}  // namespace
}  // namespace farrier
