// The text of the loops of sparse_loops.h. Each file that includes it compiles them for its own instruction set.
#pragma once

#include <cassert>

#include "trainer/sparse_loops.h"

namespace farrier {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLane = 16;
#elif defined(__AVX__)
constexpr std::size_t kLane = 8;
#else
constexpr std::size_t kLane = 4;
#endif

/// Floats of one vector register, and the same in memory of any alignment.
using Lane = float __attribute__((vector_size(kLane * sizeof(float))));
using LaneInMemory =
    float __attribute__((vector_size(kLane * sizeof(float)), aligned(alignof(float)), may_alias));

/// Some columns of a row, held in registers across the loops below.
template <std::size_t Columns>
struct Lanes {
  static constexpr std::size_t kCount = Columns / kLane;
  Lane lanes[kCount];

  static Lanes load(const float* from) {
    Lanes out;
    for (std::size_t i = 0; i < kCount; ++i)
      out.lanes[i] = *reinterpret_cast<const LaneInMemory*>(from + i * kLane);
    return out;
  }
  void store(float* to) const {
    for (std::size_t i = 0; i < kCount; ++i) *reinterpret_cast<LaneInMemory*>(to + i * kLane) = lanes[i];
  }
  void operator+=(const Lanes& other) {
    for (std::size_t i = 0; i < kCount; ++i) lanes[i] += other.lanes[i];
  }
};

template <std::size_t Columns>
void forward_block(const SparseRows& rows, std::size_t first, std::size_t last, const float* weights,
                   const float* bias, std::size_t hidden, float* out) {
  const auto start = Lanes<Columns>::load(bias);
  for (std::size_t v = first; v < last; ++v) {
    auto sum = start;
    const FeatureIndex* end = rows.indices + rows.offsets[v + 1];
    for (const FeatureIndex* i = rows.indices + rows.offsets[v]; i != end; ++i)
      sum += Lanes<Columns>::load(weights + *i * hidden);
    sum.store(out + v * hidden);
  }
}

/// Columns outermost: that part of the weights stays in the cache for all views.
void forward(const SparseRows& rows, std::size_t first, std::size_t last, const float* weights,
             const float* bias, std::size_t hidden, float* out) {
  std::size_t column = 0;
  const auto blocks = [&]<std::size_t Columns>() {
    for (; column + Columns <= hidden; column += Columns)
      forward_block<Columns>(rows, first, last, weights + column, bias + column, hidden, out + column);
  };
  blocks.template operator()<64>();
  blocks.template operator()<32>();
  blocks.template operator()<16>();
  assert(column == hidden);
}

template <std::size_t Columns>
void backward_block(const SparseRows& rows, std::size_t first, std::size_t last, const float* grad_out,
                    std::size_t hidden, std::size_t inputs, float* sums) {
  auto bias_sum = Lanes<Columns>::load(sums + inputs * Columns);
  for (std::size_t v = first; v < last; ++v) {
    const auto grad = Lanes<Columns>::load(grad_out + v * hidden);
    bias_sum += grad;
    const FeatureIndex* end = rows.indices + rows.offsets[v + 1];
    for (const FeatureIndex* i = rows.indices + rows.offsets[v]; i != end; ++i) {
      float* row = sums + *i * Columns;
      auto sum = Lanes<Columns>::load(row);
      sum += grad;
      sum.store(row);
    }
  }
  bias_sum.store(sums + inputs * Columns);
}

void backward(const SparseRows& rows, std::size_t first, std::size_t last, const float* grad_out,
              std::size_t hidden, std::size_t columns, std::size_t inputs, float* sums) {
  switch (columns) {
    case 64:
      return backward_block<64>(rows, first, last, grad_out, hidden, inputs, sums);
    case 32:
      return backward_block<32>(rows, first, last, grad_out, hidden, inputs, sums);
    default:
      assert(columns == 16);
      return backward_block<16>(rows, first, last, grad_out, hidden, inputs, sums);
  }
}

constexpr SparseLoops kSparseLoops{forward, backward};

}  // namespace
}  // namespace farrier
