#include "engine/nnue/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/base/rng.h"
#include "engine/nnue/architecture.h"
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
          const NetKernels& kernels = level.kernels(hidden);
          kernels.update(c.sums.data(), elsewhere.data(), c.rows.data(), add, remove);
          kernels.update(in_place.data(), in_place.data(), c.rows.data(), add, remove);
          ASSERT_EQ(elsewhere, expected) << level.name << ' ' << hidden << ' ' << added << ' ' << removed;
          ASSERT_EQ(in_place, expected) << level.name << ' ' << hidden << ' ' << added << ' ' << removed;
        }
    }
}

TEST(Kernels, EveryLevelGivesTheOutputOfTheFormula) {
  for (const KernelLevel& level : kernel_levels())
    for (int hidden : kHiddenWidths)
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Case c(hidden, seed);
        std::int64_t sum = 0;
        for (std::size_t h = 0; h < c.width; ++h) {
          const int ours = std::clamp<int>(c.sums[h], 0, kQa), theirs = std::clamp<int>(c.other[h], 0, kQa);
          sum += ours * ours * c.output[h] + theirs * theirs * c.output[c.width + h];
        }
        ASSERT_EQ(level.kernels(hidden).output_sum(c.sums.data(), c.other.data(), c.output.data()), sum)
            << level.name << ' ' << hidden;
      }
}

TEST(Kernels, TheBestLevelThatRunsIsChosen) {
  ASSERT_FALSE(kernel_levels().empty());
  for (int hidden : kHiddenWidths) EXPECT_EQ(&net_kernels(hidden), &kernel_levels().back().kernels(hidden));
}

}  // namespace
}  // namespace farrier
