#include "engine/nnue/kernel_code.h"
#include "engine/nnue/kernel_levels.h"

namespace farrier {

const NetKernels& baseline_kernels(int hidden, Activation activation) {
  return find_kernels(hidden, activation);
}

}  // namespace farrier
