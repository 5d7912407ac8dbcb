// A net with random weights over their whole safe range: what tests of inference and files use.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/rng.h"
#include "engine/nnue/input_map.h"
#include "engine/nnue/net_file.h"
#include "engine/variants/dispatch.h"

namespace farrier {

inline Net random_net_of(Variant variant, const Architecture& architecture, std::uint64_t seed = 1) {
  Rng rng(seed);
  const auto draw = [&rng](std::size_t count, std::uint32_t bound) {
    Weights weights(count);
    for (auto& w : weights)
      w = static_cast<std::int16_t>(static_cast<int>(rng.below(2 * bound + 1)) - static_cast<int>(bound));
    return weights;
  };
  Net net;
  net.variant = variant;
  net.architecture = architecture;
  net.scale_cp = 380;
  net.notes["licence"] = "CC0-1.0";
  const auto width = static_cast<std::size_t>(architecture.hidden);
  net.feature_bias = draw(width, 200);
  net.feature_weights =
      draw(static_cast<std::size_t>(InputMap(variant, architecture.features).rows()) * width, 120);
  for (int k = 0; k < architecture.dense_layers(); ++k) {
    DenseLayer layer;
    layer.inputs = architecture.layer_inputs(k);
    layer.outputs = architecture.layer_outputs(k);
    const auto outputs = static_cast<std::size_t>(architecture.output_buckets() * layer.outputs);
    layer.weights = draw(outputs * static_cast<std::size_t>(layer.inputs), 60);
    for (std::size_t o = 0; o < outputs; ++o)
      layer.bias.push_back(1234 + static_cast<std::int32_t>(rng.below(9000)));
    net.layers.push_back(std::move(layer));
  }
  return net;
}

inline Net random_net_of(Variant variant, int hidden, std::uint64_t seed = 1) {
  Architecture architecture;
  architecture.hidden = hidden;
  return random_net_of(variant, architecture, seed);
}

/// Shapes that between them use everything a net can have.
inline std::vector<Architecture> various_architectures(Variant variant) {
  const bool hands = with_rules(variant, []<VariantRules R>() { return R::kHasDrops; });
  std::vector<int> ranks, squares, halves;
  for (int s = 0; s < 64; ++s) {
    ranks.push_back(s / 8);
    squares.push_back(s / 2);
    halves.push_back(std::min(s % 8, 7 - s % 8));
  }
  std::vector<Architecture> all;
  const auto add = [&all](int hidden, Activation activation) -> Architecture& {
    Architecture& a = all.emplace_back();
    a.hidden = hidden;
    a.activation = activation;
    return a;
  };
  add(32, Activation::Crelu);
  add(32, Activation::Pairwise).board_buckets = {8, 16, 24, 30};
  add(16, Activation::Screlu).features.mirror = true;
  Architecture& bucketed = add(16, Activation::Screlu);
  bucketed.features.king_buckets = squares;
  bucketed.features.promoted = false;
  Architecture& both = add(32, Activation::Pairwise);
  both.features = {.mirror = true, .promoted = true, .king_buckets = halves};
  both.layers = {16};
  if (hands) both.hand_buckets = {1, 2, 5};
  Architecture& deep = add(64, Activation::Crelu);
  deep.features = {.mirror = true, .promoted = false, .king_buckets = ranks};
  deep.layers = {8, 32};
  deep.board_buckets = {20};
  if (hands) deep.hand_buckets = {2};
  Architecture& deep_screlu = add(96, Activation::Screlu);
  deep_screlu.layers = {32, 16};
  return all;
}

}  // namespace farrier
