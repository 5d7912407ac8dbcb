// The integer kernels of inference as plain loops, for the compiler to vectorise. Each kernels_LEVEL.cpp compiles them for
// its instruction set. All that is here has internal linkage and calls nothing of another header: an inline function
// compiled for a newer processor could be the copy that the linker gives to the whole program.
#pragma once

#include "engine/nnue/arithmetic.h"
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

/// clamp(sum, 0, QA)
Value clamped(Value sum) {
  const Value positive = sum < 0 ? Value{0} : sum;
  return positive > kQa ? Value{kQa} : positive;
}

/// What one view adds to the output's sum. clamp * weight fits 16 bits (kMaxOutputWeight), which makes a square or a
/// product a multiply-add of 16-bit pairs.
template <int Hidden, Activation A>
std::int32_t view_sum(const Value* sums, const Value* weights) {
  constexpr int kActivations = A == Activation::Pairwise ? Hidden / 2 : Hidden;
  std::int32_t total = 0;
  for (int h = 0; h < kActivations; ++h) {
    const Value first = clamped(sums[h]);
    if constexpr (A == Activation::Crelu) {
      total += first * weights[h];
    } else {
      const Value second = A == Activation::Pairwise ? clamped(sums[h + kActivations]) : first;
      const Value weighted = static_cast<Value>(first * weights[h]);
      total += second * weighted;
    }
  }
  return total;
}

template <int Hidden, Activation A>
std::int32_t output_sum(const Value* us, const Value* other, const Value* weights) {
  constexpr int kActivations = A == Activation::Pairwise ? Hidden / 2 : Hidden;
  return view_sum<Hidden, A>(us, weights) + view_sum<Hidden, A>(other, weights + kActivations);
}

template <int Hidden, Activation A>
void activate_view(const Value* sums, Value* out) {
  constexpr int kActivations = A == Activation::Pairwise ? Hidden / 2 : Hidden;
  for (int h = 0; h < kActivations; ++h) {
    // Products of two numbers up to 255 fit 16 bits without a sign.
    const auto first = static_cast<std::uint16_t>(clamped(sums[h]));
    const auto second =
        A == Activation::Crelu
            ? std::uint16_t{kQa}
            : static_cast<std::uint16_t>(clamped(sums[A == Activation::Pairwise ? h + kActivations : h]));
    out[h] = static_cast<Value>(static_cast<std::uint16_t>(first * second) / 256);
  }
}

template <int Hidden, Activation A>
void activate(const Value* us, const Value* other, Value* out) {
  activate_view<Hidden, A>(us, out);
  activate_view<Hidden, A>(other, out + (A == Activation::Pairwise ? Hidden / 2 : Hidden));
}

/// `Outputs` of a further layer at a time, which share the loads of `in`.
template <int Outputs>
void dense_outputs(const Value* in, int inputs, const Value* weights, const std::int32_t* bias,
                   std::int32_t* out) {
  std::int32_t sums[Outputs] = {};
  for (int i = 0; i < inputs; ++i)
    for (int o = 0; o < Outputs; ++o) sums[o] += in[i] * weights[o * inputs + i];
  for (int o = 0; o < Outputs; ++o) out[o] = bias[o] + sums[o];
}

/// `outputs` is 1 or a multiple of 4.
void dense(const Value* in, int inputs, const Value* weights, const std::int32_t* bias, std::int32_t* out,
           int outputs) {
  constexpr int kTogether = 4;
  if (outputs == 1) return dense_outputs<1>(in, inputs, weights, bias, out);
  for (int o = 0; o < outputs; o += kTogether)
    dense_outputs<kTogether>(in, inputs, weights + o * inputs, bias + o, out + o);
}

template <int Hidden, Activation A>
constexpr NetKernels kKernels{update<Hidden>, output_sum<Hidden, A>, activate<Hidden, A>, dense};

template <int Hidden>
const NetKernels& find_activation(Activation activation) {
  if (activation == Activation::Crelu) return kKernels<Hidden, Activation::Crelu>;
  if (activation == Activation::Pairwise) return kKernels<Hidden, Activation::Pairwise>;
  return kKernels<Hidden, Activation::Screlu>;
}

template <int I = 0>
const NetKernels& find_kernels(int hidden, Activation activation) {
  constexpr int kWidth = kHiddenWidths[I];
  constexpr bool kIsLast = I + 1 == kHiddenWidths.size();
  if constexpr (!kIsLast)
    if (hidden != kWidth) return find_kernels<I + 1>(hidden, activation);
  return find_activation<kWidth>(activation);
}

}  // namespace
}  // namespace farrier
