// The network's shape, scales and integer arithmetic, told once for engine and trainer.
//
//   accumulator[view][h] = feature_bias[h] + sum over active inputs i of view: feature_weights[i][h] (i16)
//   activation           = clamp(accumulator, 0, QA)^2 SCReLU sum                  = sum over h:
//   activation[stm][h]   * output_weights[h]
//                        + sum over h: activation[other][h] * output_weights[H + h]                     (i32)
//   score_cp_stm         = (sum / QA + output_bias) * scale_cp / (QA * QB)        C++ division, i64 at the
//   end
//
// Float network: the same with weights / QA in the first layer (so that 1.0 is QA), output weights / QB and
// output bias / (QA * QB); its output o is a logit, sigmoid(o) the expected result, score = o * scale_cp.
#pragma once

#include <array>
#include <cstdint>

namespace farrier {

constexpr int kQa = 255;  // an accumulator of kQa is an activation of 1.0
constexpr int kQb = 64;   // an output weight of kQb is 1.0
/// |output weight| is at most this, so that clamp(acc, 0, QA) * weight fits an i16.
constexpr int kMaxOutputWeight = 127;
/// Hidden widths that the engine has code for.
inline constexpr std::array kHiddenWidths{16, 32, 64, 96, 128, 192, 256, 384, 512};

}  // namespace farrier
