#include "engine/nnue/kernel_code.h"
#include "engine/nnue/kernel_levels.h"

namespace farrier {

const NetKernels& x86_64_v3_kernels(int hidden, Activation activation) {
  return find_kernels(hidden, activation);
}

}  // namespace farrier
