#include "engine/nnue/overflow.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "engine/nnue/features.h"
#include "engine/nnue/input_map.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

/// The most that any set of men can add to hidden unit `h` in one orientation of the view, with all weights multiplied
/// by `sign`. Each square gives at most its best man (with his mark, if that helps), each hand input at most itself; of
/// all these no more than kMaxMen count at once.
template <VariantRules R>
int most_added(const Net& net, std::span<const FeatureIndex> rows, int h, int sign) {
  using Features = FeatureSet<R>;
  const auto weight = [&](int input) {
    const FeatureIndex row = rows[static_cast<std::size_t>(input)];
    return row == kNoRow
               ? 0
               : sign * net.feature_weights[static_cast<std::size_t>(row * net.architecture.hidden + h)];
  };
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

int largest_accumulator(const Net& net) {
  const InputMap map(net.variant, net.architecture.features);
  int largest = 0;
  for (int turned = 0; turned < map.orientations(); ++turned)
    for (int h = 0; h < net.architecture.hidden; ++h)
      for (int sign : {+1, -1}) {
        const int added = with_rules(
            net.variant, [&]<VariantRules R>() { return most_added<R>(net, map.table(turned), h, sign); });
        largest = std::max(largest, sign * net.feature_bias[static_cast<std::size_t>(h)] + added);
      }
  return largest;
}

/// The largest |sum| on the way to any output of the layer, with inputs from 0 to `most` each.
std::int64_t largest_sum(const DenseLayer& layer, std::int64_t most) {
  std::int64_t largest = 0;
  for (std::size_t o = 0; o < layer.bias.size(); ++o) {
    std::array<std::int64_t, 2> parts{};  // positive and negative
    for (int i = 0; i < layer.inputs; ++i) {
      const std::int64_t w =
          layer.weights[o * static_cast<std::size_t>(layer.inputs) + static_cast<std::size_t>(i)];
      parts[w < 0] += most * std::abs(w);
    }
    largest = std::max({largest, parts[0], parts[1]});
  }
  return largest;
}

}  // namespace

Result<int> prove_no_overflow(const Net& net) {
  constexpr int kI16 = std::numeric_limits<std::int16_t>::max();
  constexpr std::int64_t kI32 = std::numeric_limits<std::int32_t>::max();
  const int largest = largest_accumulator(net);
  if (largest > kI16)
    return Failure{"the net's accumulators can reach " + std::to_string(largest) +
                   ", beyond 16 bits; train with tighter weight clipping"};
  const bool direct = net.layers.size() == 1;
  for (const DenseLayer& layer : net.layers) {
    for (std::int16_t w : layer.weights)
      if (std::abs(w) > kMaxOutputWeight)
        return Failure{"the net has an output weight of " + std::to_string(w) + ", beyond " +
                       std::to_string(kMaxOutputWeight) + "; train with tighter weight clipping"};
    const bool squares = direct && net.architecture.activation != Activation::Crelu;
    std::int64_t sum = largest_sum(layer, squares ? kQa * kQa : direct ? kQa : kMaxActivation);
    // Squares are divided before the bias is added, in 64 bits.
    if (!direct)
      for (std::int32_t bias : layer.bias) sum = std::max(sum, sum + std::abs(std::int64_t{bias}));
    if (sum > kI32)
      return Failure{
          "the net's output sum can exceed 32 bits; train with tighter weight clipping or a narrower net"};
  }
  return largest;
}

}  // namespace farrier
