// The integer kernels of inference: what a net of some shape costs per evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/nnue/arithmetic.h"

namespace farrier {

/// Inputs by number: the rows of the first layer's weights that an update adds or takes away.
struct InputList {
  const std::uint16_t* inputs;
  int count;
};

/// The loops of inference, compiled for one hidden width and activation. Rows and sums are `hidden` values long.
struct NetKernels {
  /// out = in + the added rows of `weights` - the removed ones; `in` may be `out`.
  void (*update)(const std::int16_t* in, std::int16_t* out, const std::int16_t* weights, InputList added,
                 InputList removed);
  /// The sum of arithmetic.h for a net without further layers; `weights` holds those for `us`, then those for `other`.
  std::int32_t (*output_sum)(const std::int16_t* us, const std::int16_t* other, const std::int16_t* weights);
  /// The activations of both sides for further layers, 0 to kMaxActivation.
  void (*activate)(const std::int16_t* us, const std::int16_t* other, std::int16_t* out);
  /// A further layer: out[o] = bias[o] + sum over i: in[i] * weights[o][i].
  void (*dense)(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                std::int32_t* out, int outputs);
};

/// The kernels as compiled for one instruction set.
struct KernelLevel {
  std::string_view name;
  /// For a width of kHiddenWidths.
  const NetKernels& (*kernels)(int hidden, Activation activation);
};

/// The levels that this processor runs, the best one last. All give the same integers.
std::span<const KernelLevel> kernel_levels();

/// The best kernels for a width of kHiddenWidths.
const NetKernels& net_kernels(int hidden, Activation activation);

}  // namespace farrier
