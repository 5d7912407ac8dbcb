#include "engine/nnue/overflow.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "engine/nnue/architecture.h"
#include "engine/nnue/features.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// The most that any set of men can add to hidden unit `h`, with all weights multiplied by `sign`. Each
/// square gives at most its best man (with his mark, if that helps), each hand input at most itself; of all
/// these no more than kMaxMen count at once.
template <VariantRules R>
int most_added(const Net& net, int h, int sign) {
  using Features = FeatureSet<R>;
  const auto weight = [&](int input) { return sign * net.feature_weights[input * net.hidden + h]; };
  std::vector<int> offers;
  for (int square = 0; square < kSquareCount; ++square) {
    int best = 0;
    for (int side = 0; side < 2; ++side) {
      const int mark =
          Features::kHasPromoted ? std::max(0, weight(Features::kPromotedStart + side * 64 + square)) : 0;
      for (int plane = 0; plane < 6; ++plane)
        best = std::max(best, weight(side * 384 + plane * 64 + square) + mark);
    }
    offers.push_back(best);
  }
  for (int input = Features::kHandStart; input < Features::kInputs; ++input)
    offers.push_back(std::max(0, weight(input)));
  const std::size_t counted = std::min<std::size_t>(offers.size(), kMaxMen);
  std::partial_sort(offers.begin(), offers.begin() + static_cast<std::ptrdiff_t>(counted), offers.end(),
                    std::greater<>());
  int sum = 0;
  for (std::size_t i = 0; i < counted; ++i) sum += offers[i];
  return sum;
}

}  // namespace

Result<int> prove_no_overflow(const Net& net) {
  constexpr int kI16 = std::numeric_limits<std::int16_t>::max();
  int largest = 0;
  for (int h = 0; h < net.hidden; ++h)
    for (int sign : {+1, -1}) {
      const int added =
          with_rules(net.variant, [&]<VariantRules R>() { return most_added<R>(net, h, sign); });
      largest = std::max(largest, sign * net.feature_bias[h] + added);
    }
  if (largest > kI16)
    return Failure{"the net's accumulators can reach " + std::to_string(largest) +
                   ", beyond 16 bits; train with tighter weight clipping"};

  std::array<std::int64_t, 2> output{};  // positive and negative part of the output sum at full activations
  for (std::int16_t w : net.output_weights) {
    if (std::abs(w) > kMaxOutputWeight)
      return Failure{"the net has an output weight of " + std::to_string(w) + ", beyond " +
                     std::to_string(kMaxOutputWeight) + "; train with tighter weight clipping"};
    output[w < 0] += std::int64_t{kQa} * kQa * std::abs(w);
  }
  if (std::max(output[0], output[1]) > std::numeric_limits<std::int32_t>::max())
    return Failure{
        "the net's output sum can exceed 32 bits; train with tighter weight clipping or a narrower net"};
  return largest;
}

}  // namespace farrier
