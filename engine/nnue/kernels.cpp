#include "engine/nnue/kernels.h"

#include <array>

#include "engine/nnue/kernel_levels.h"

namespace farrier {
namespace {

/// From the plainest to the best, without regard to the processor.
constexpr std::array kLevels{
    KernelLevel{FARRIER_BASELINE, baseline_kernels},
#ifdef FARRIER_X86_LEVELS
    KernelLevel{"x86-64-v3", x86_64_v3_kernels},
    KernelLevel{"x86-64-v4", x86_64_v4_kernels},
#endif
};

/// How many of kLevels this processor runs: each level holds those before it.
std::size_t count_runnable() {
#ifdef FARRIER_X86_LEVELS
  if (__builtin_cpu_supports("x86-64-v4")) return 3;
  if (__builtin_cpu_supports("x86-64-v3")) return 2;
#endif
  return 1;
}

}  // namespace

std::span<const KernelLevel> kernel_levels() {
  static const std::size_t runnable = count_runnable();
  return std::span(kLevels).first(runnable);
}

const NetKernels& net_kernels(int hidden, Activation activation) {
  return kernel_levels().back().kernels(hidden, activation);
}

}  // namespace farrier
