// The integer kernels of inference: what a hidden layer of some width costs per evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace farrier {

/// Inputs by number: the rows of the first layer's weights that an update adds or takes away.
struct InputList {
  const std::uint16_t* inputs;
  int count;
};

/// The two loops of inference, compiled for one hidden width. Rows and sums are `hidden` values long.
struct NetKernels {
  /// out = in + the added rows of `weights` - the removed ones; `in` may be `out`.
  void (*update)(const std::int16_t* in, std::int16_t* out, const std::int16_t* weights, InputList added,
                 InputList removed);
  /// The SCReLU sum of architecture.h; `weights` holds those for `us`, then those for `other`.
  std::int32_t (*output_sum)(const std::int16_t* us, const std::int16_t* other, const std::int16_t* weights);
};

/// The kernels as compiled for one instruction set.
struct KernelLevel {
  std::string_view name;
  /// For a width of kHiddenWidths.
  const NetKernels& (*kernels)(int hidden);
};

/// The levels that this processor runs, the best one last. All give the same integers.
std::span<const KernelLevel> kernel_levels();

/// The best kernels for a width of kHiddenWidths.
const NetKernels& net_kernels(int hidden);

}  // namespace farrier
