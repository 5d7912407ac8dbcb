// The network's scales and integer arithmetic, told once for engine and trainer.
//
//   sum[view][h] = feature_bias[h] + sum over the view's active rows r: feature_weights[r][h]          (i16)
//   c            = clamp(sum, 0, QA)
//
// Without further layers, weights of the position's output bucket, us first, then the other side:
//   CReLU        logit = sum over views and h: c[h] * w[h] + bias                                      (i32)
//   SCReLU       logit = (sum over views and h: c[h]^2 * w[h]) / QA + bias
//   pairwise     logit = (sum over views and h < H/2: c[h] * c[h + H/2] * w[h]) / QA + bias
//   score_cp_stm = logit * scale_cp / (QA * QB)                                      C++ division, i64 at the end
//
// With further layers, each one's output is an i32 in units of kUnit * QB, and its activation an integer 0 to 254 in
// units of kUnit = QA^2 / 256:
//   CReLU        a[h] = c[h] * QA / 256,  SCReLU  a[h] = c[h]^2 / 256,  pairwise  a[h] = c[h] * c[h + H/2] / 256
//   layer        out[o] = bias[o] + sum over i: a[i] * w[o][i]                                         (i32)
//   between      a[o] = clamp(out[o] / QB rounded down, 0, 254)                                    clipped ReLU
//   score_cp_stm = out * scale_cp * 256 / (QA^2 * QB)
//
// Float network: the same with first-layer weights / QA (so that 1.0 is QA), other weights / QB, and biases in units of
// their sums; its output o is a logit, sigmoid(o) the expected result, score = o * scale_cp.
#pragma once

#include <array>

namespace farrier {

constexpr int kQa = 255;  // an accumulator of kQa is an activation of 1.0
constexpr int kQbBits = 6;
constexpr int kQb = 1 << kQbBits;  // a weight of kQb after the first layer is 1.0
/// |weight| after the first layer is at most this: it fits an i8, and clamp(sum, 0, QA) * weight an i16.
constexpr int kMaxOutputWeight = 127;
/// Activations that go into further layers are 0 to this, in units of kUnit.
constexpr int kMaxActivation = kQa * kQa / 256;
constexpr double kUnit = kQa * kQa / 256.0;

/// What becomes of the first layer's sums.
enum class Activation { Crelu, Screlu, Pairwise };
inline constexpr std::array kActivations{Activation::Crelu, Activation::Screlu, Activation::Pairwise};

/// Hidden widths that the engine has code for.
inline constexpr std::array kHiddenWidths{16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};

}  // namespace farrier
