// The integer kernels of inference as plain loops, for the compiler to vectorise. Each kernels_LEVEL.cpp compiles them for
// its instruction set. All that is here has internal linkage and calls nothing of another header: an inline function
// compiled for a newer processor could be the copy that the linker gives to the whole program.
#pragma once

#include "engine/nnue/architecture.h"
#include "engine/nnue/kernels.h"

namespace farrier {
namespace {

using Value = std::int16_t;

/// out = in + `Added` rows - `Removed` rows, in one pass over the sums. Each of them is read before it is written, so
/// `in` may be `out`.
template <int Hidden, int Added, int Removed>
void apply(const Value* in, Value* out, const Value* weights, const std::uint16_t* added,
           const std::uint16_t* removed) {
  const Value* const a0 = Added > 0 ? weights + added[0] * Hidden : nullptr;
  const Value* const a1 = Added > 1 ? weights + added[1] * Hidden : nullptr;
  const Value* const r0 = Removed > 0 ? weights + removed[0] * Hidden : nullptr;
  const Value* const r1 = Removed > 1 ? weights + removed[1] * Hidden : nullptr;
#pragma GCC ivdep
  for (int h = 0; h < Hidden; ++h) {
    Value sum = in[h];
    if (Added > 0) sum = static_cast<Value>(sum + a0[h]);
    if (Added > 1) sum = static_cast<Value>(sum + a1[h]);
    if (Removed > 0) sum = static_cast<Value>(sum - r0[h]);
    if (Removed > 1) sum = static_cast<Value>(sum - r1[h]);
    out[h] = sum;
  }
}

template <int Hidden>
void update(const Value* in, Value* out, const Value* weights, InputList added, InputList removed) {
  const std::uint16_t* a = added.inputs;
  const std::uint16_t* r = removed.inputs;
  // Nearly all moves: a step or drop, a capture, and in crazyhouse a capture with what it brings into the hand.
  if (added.count == 1 && removed.count == 1) return apply<Hidden, 1, 1>(in, out, weights, a, r);
  if (added.count == 1 && removed.count == 2) return apply<Hidden, 1, 2>(in, out, weights, a, r);
  if (added.count == 2 && removed.count == 2) return apply<Hidden, 2, 2>(in, out, weights, a, r);
  int more = added.count;
  int less = removed.count;
  for (; more >= 2 && less >= 2; more -= 2, less -= 2, a += 2, r += 2, in = out)
    apply<Hidden, 2, 2>(in, out, weights, a, r);
  for (; more >= 2; more -= 2, a += 2, in = out) apply<Hidden, 2, 0>(in, out, weights, a, nullptr);
  for (; less >= 2; less -= 2, r += 2, in = out) apply<Hidden, 0, 2>(in, out, weights, nullptr, r);
  if (more > 0) apply<Hidden, 1, 0>(in, out, weights, a, nullptr), in = out;
  if (less > 0) apply<Hidden, 0, 1>(in, out, weights, nullptr, r), in = out;
  if (in != out) apply<Hidden, 0, 0>(in, out, weights, nullptr, nullptr);
}

/// sum of clamp(a, 0, QA)^2 * w. clamp * w fits 16 bits (kMaxOutputWeight), which makes it a multiply-add of 16-bit
/// pairs.
template <int Hidden>
std::int32_t screlu_sum(const Value* accumulator, const Value* weights) {
  std::int32_t sum = 0;
  for (int h = 0; h < Hidden; ++h) {
    const Value positive = accumulator[h] < 0 ? Value{0} : accumulator[h];
    const Value active = positive > kQa ? Value{kQa} : positive;
    const Value weighted = static_cast<Value>(active * weights[h]);
    sum += active * weighted;
  }
  return sum;
}

template <int Hidden>
std::int32_t output_sum(const Value* us, const Value* other, const Value* weights) {
  return screlu_sum<Hidden>(us, weights) + screlu_sum<Hidden>(other, weights + Hidden);
}

template <int Hidden>
constexpr NetKernels kKernels{update<Hidden>, output_sum<Hidden>};

template <int I = 0>
const NetKernels& find_kernels(int hidden) {
  constexpr int kWidth = kHiddenWidths[I];
  constexpr bool kIsLast = I + 1 == kHiddenWidths.size();
  if constexpr (!kIsLast)
    if (hidden != kWidth) return find_kernels<I + 1>(hidden);
  return kKernels<kWidth>;
}

}  // namespace
}  // namespace farrier
