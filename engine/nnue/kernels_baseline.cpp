#include "engine/nnue/kernel_code.h"
#include "engine/nnue/kernel_levels.h"

namespace farrier {

const NetKernels& baseline_kernels(int hidden) { return find_kernels(hidden); }

}  // namespace farrier
