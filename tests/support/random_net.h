// A net with random weights over their whole safe range: what tests of inference and files use.
#pragma once

#include "engine/base/rng.h"
#include "engine/nnue/features.h"
#include "engine/nnue/net_file.h"

namespace farrier {

inline Net random_net_of(Variant variant, int hidden, std::uint64_t seed = 1) {
  Rng rng(seed);
  const auto draw = [&rng](std::size_t count, std::uint32_t bound) {
    Weights weights(count);
    for (auto& w : weights)
      w = static_cast<std::int16_t>(static_cast<int>(rng.below(2 * bound + 1)) - static_cast<int>(bound));
    return weights;
  };
  Net net;
  net.variant = variant;
  net.hidden = hidden;
  net.scale_cp = 380;
  net.notes["licence"] = "CC0-1.0";
  const auto width = static_cast<std::size_t>(hidden);
  net.feature_bias = draw(width, 200);
  net.feature_weights = draw(static_cast<std::size_t>(feature_count(variant)) * width, 120);
  net.output_weights = draw(2 * width, 60);
  net.output_bias = 1234;
  return net;
}

}  // namespace farrier
