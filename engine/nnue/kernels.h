// The integer kernels of inference: what a hidden layer of some width costs per evaluation.
#pragma once

#include <cstdint>

namespace farrier {

/// Rows of the first layer's weights, by address.
struct RowList {
  const std::int16_t* const* rows;
  int count;
};

/// The two loops of inference, compiled for one hidden width. Rows, sums and weights are `hidden` values long.
struct NetKernels {
  /// out = in + the added rows - the removed rows; `in` may be `out`.
  void (*update)(const std::int16_t* in, std::int16_t* out, RowList added, RowList removed);
  /// The SCReLU sum of architecture.h; `weights` holds those for `us`, then those for `other`.
  std::int32_t (*output_sum)(const std::int16_t* us, const std::int16_t* other, const std::int16_t* weights);
};

/// The kernels for a width of kHiddenWidths.
const NetKernels& net_kernels(int hidden);

}  // namespace farrier
