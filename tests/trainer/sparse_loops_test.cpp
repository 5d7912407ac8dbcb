// The sparse transform's loops against plain sums, for every instruction set that this machine has.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/rng.h"
#include "trainer/sparse_kernel.h"

namespace farrier {
namespace {

constexpr std::size_t kInputs = 90;
constexpr std::size_t kViews = 6000;  // several parts in the backward pass

struct Views {
  std::vector<FeatureIndex> indices;
  std::vector<std::int32_t> offsets{0};

  Views() {
    Rng rng(1);
    for (std::size_t v = 0; v < kViews; ++v) {
      for (FeatureIndex i = 0; i < kInputs; ++i)
        if (rng.below(4) == 0) indices.push_back(i);
      offsets.push_back(static_cast<std::int32_t>(indices.size()));
    }
  }
  SparseRows rows() const { return {indices.data(), offsets.data(), kViews}; }
};

/// Small whole numbers, whose sums floats hold exactly in any order.
std::vector<float> whole_numbers(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(rng.below(41)) - 20.0F;
  return values;
}

class SparseWidth : public testing::TestWithParam<std::size_t> {};

TEST_P(SparseWidth, ForwardAndBackwardAreTheSumsOfTheirRows) {
  const std::size_t hidden = GetParam();
  const Views views;
  const SparseRows rows = views.rows();
  const auto weights = whole_numbers(kInputs * hidden, 2);
  const auto bias = whole_numbers(hidden, 3);
  const auto grad = whole_numbers(kViews * hidden, 4);
  std::vector<float> out(kViews * hidden), grad_weights(kInputs * hidden, 7.0F), grad_bias(hidden, 7.0F),
      scratch;
  sparse_forward(rows, weights.data(), bias.data(), hidden, out.data(), arena_parallel());
  sparse_backward(rows, grad.data(), kInputs, hidden, grad_weights.data(), grad_bias.data(), scratch,
                  arena_parallel());

  std::vector<float> sums(kViews * hidden), weight_sums(kInputs * hidden), bias_sums(hidden);
  for (std::size_t v = 0; v < kViews; ++v)
    for (std::size_t k = 0; k < hidden; ++k) {
      sums[v * hidden + k] = bias[k];
      bias_sums[k] += grad[v * hidden + k];
      for (std::int32_t at = rows.offsets[v]; at < rows.offsets[v + 1]; ++at) {
        sums[v * hidden + k] += weights[rows.indices[at] * hidden + k];
        weight_sums[rows.indices[at] * hidden + k] += grad[v * hidden + k];
      }
    }
  EXPECT_EQ(out, sums);
  EXPECT_EQ(grad_weights, weight_sums);
  EXPECT_EQ(grad_bias, bias_sums);
}

TEST_P(SparseWidth, AllInstructionSetsGiveTheSameBits) {
  const std::size_t hidden = GetParam();
  const Views views;
  const SparseRows rows = views.rows();
  std::vector<std::vector<float>> outs, sums;
  std::vector<float> weights(kInputs * hidden);
  Rng rng(5);
  for (float& w : weights) w = static_cast<float>(rng.uniform());
  for (const SparseLoops* loops : {&baseline_sparse_loops(), &sparse_loops()}) {
    std::vector<float> out(kViews * hidden);
    loops->forward(rows, 0, kViews, weights.data(), weights.data(), hidden, out.data());
    for (std::size_t columns : {16U, 32U, 64U}) {
      if (columns > hidden) continue;
      sums.emplace_back((kInputs + 1) * columns);
      loops->backward(rows, 0, kViews, out.data(), hidden, columns, kInputs, sums.back().data());
    }
    outs.push_back(out);
  }
  EXPECT_EQ(outs[0], outs[1]);
  for (std::size_t i = 0; i < sums.size() / 2; ++i) EXPECT_EQ(sums[i], sums[i + sums.size() / 2]) << i;
}

INSTANTIATE_TEST_SUITE_P(Widths, SparseWidth, testing::Values(16, 32, 48, 64, 80, 112, 256));

}  // namespace
}  // namespace farrier
