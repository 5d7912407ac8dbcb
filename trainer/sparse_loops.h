// The inner loops of the sparse feature transform, compiled once for each instruction set: choosing among them changes
// speed, never a bit, because each column is added up in the same order by all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/nnue/features.h"

namespace farrier {

/// Inputs of many views, as in SparseBatch.
struct SparseRows {
  const FeatureIndex* indices = nullptr;
  const std::int32_t* offsets = nullptr;
  std::size_t views = 0;
};

/// Columns that are added up together, in vector registers, wherever so many are left of a row.
inline constexpr std::size_t kSparseBlock = 64;

struct SparseLoops {
  /// Views `first` to `last` of sparse_forward. `hidden` is a multiple of 16.
  void (*forward)(const SparseRows& rows, std::size_t first, std::size_t last, const float* weights,
                  const float* bias, std::size_t hidden, float* out);
  /// Adds the gradients of those views, in `columns` columns from grad_out on, to sums[inputs + 1][columns]: the inputs'
  /// rows, then the bias's. `columns` is 64, 32 or 16.
  void (*backward)(const SparseRows& rows, std::size_t first, std::size_t last, const float* grad_out,
                   std::size_t hidden, std::size_t columns, std::size_t inputs, float* sums);
};

/// The best that this processor runs.
const SparseLoops& sparse_loops();

const SparseLoops& baseline_sparse_loops();
const SparseLoops& x86_64_v4_sparse_loops();

}  // namespace farrier
