// The integer kernels of inference as plain loops, for the compiler to vectorise. Included only by the files that
// compile them, one for each instruction set (kernels_*.cpp); nothing here may come from another header's inline
// code, or the linker could hand a version for a newer processor to the rest of the program.
#pragma once

#include "engine/nnue/architecture.h"
#include "engine/nnue/kernels.h"

namespace farrier {
namespace {

using Value = std::int16_t;

/// out = in + `Added` rows - `Removed` rows, in one pass over the sums. Each of them is read before it is written, so
/// `in` may be `out`.
template <int Hidden, int Added, int Removed>
void apply(const Value* in, Value* out, const Value* const* added, const Value* const* removed) {
  const Value* const a0 = Added > 0 ? added[0] : nullptr;
  const Value* const a1 = Added > 1 ? added[1] : nullptr;
  const Value* const r0 = Removed > 0 ? removed[0] : nullptr;
  const Value* const r1 = Removed > 1 ? removed[1] : nullptr;
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
void update(const Value* in, Value* out, RowList added, RowList removed) {
  // Nearly all moves: a step or drop, a capture, and in crazyhouse a capture with what it brings into the hand.
  if (added.count == 1 && removed.count == 1) return apply<Hidden, 1, 1>(in, out, added.rows, removed.rows);
  if (added.count == 1 && removed.count == 2) return apply<Hidden, 1, 2>(in, out, added.rows, removed.rows);
  if (added.count == 2 && removed.count == 2) return apply<Hidden, 2, 2>(in, out, added.rows, removed.rows);
  int a = 0;
  int r = 0;
  for (; a + 2 <= added.count && r + 2 <= removed.count; a += 2, r += 2, in = out)
    apply<Hidden, 2, 2>(in, out, added.rows + a, removed.rows + r);
  for (; a + 2 <= added.count; a += 2, in = out) apply<Hidden, 2, 0>(in, out, added.rows + a, nullptr);
  for (; r + 2 <= removed.count; r += 2, in = out) apply<Hidden, 0, 2>(in, out, nullptr, removed.rows + r);
  for (; a < added.count; ++a, in = out) apply<Hidden, 1, 0>(in, out, added.rows + a, nullptr);
  for (; r < removed.count; ++r, in = out) apply<Hidden, 0, 1>(in, out, nullptr, removed.rows + r);
  if (in != out) apply<Hidden, 0, 0>(in, out, nullptr, nullptr);
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

}  // namespace
}  // namespace farrier
