#include "engine/nnue/kernels.h"

#include <cassert>

#include "engine/nnue/kernel_code.h"

namespace farrier {
namespace {

template <std::size_t I = 0>
const NetKernels& find_kernels(int hidden) {
  if constexpr (I + 1 < kHiddenWidths.size())
    if (hidden != kHiddenWidths[I]) return find_kernels<I + 1>(hidden);
  assert(hidden == kHiddenWidths[I]);
  return kKernels<kHiddenWidths[I]>;
}

}  // namespace

const NetKernels& net_kernels(int hidden) { return find_kernels(hidden); }

}  // namespace farrier
