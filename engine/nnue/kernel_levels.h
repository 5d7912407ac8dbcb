// Where each instruction set's kernels are found; for kernels.cpp.
#pragma once

#include "engine/nnue/kernels.h"

namespace farrier {

/// Compiled as the rest of the program is.
const NetKernels& baseline_kernels(int hidden, Activation activation);
#ifdef FARRIER_X86_LEVELS
const NetKernels& x86_64_v3_kernels(int hidden, Activation activation);
const NetKernels& x86_64_v4_kernels(int hidden, Activation activation);
#endif

}  // namespace farrier
