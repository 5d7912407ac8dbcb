// Work cut into numbered tasks. The kernels cut by shape alone and add up in order, so that their results are the same
// to the bit on any number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace farrier {

/// Runs task(0) ... task(count - 1), in any order, on several threads if it likes.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

/// On the threads of the calling oneTBB arena. LibTorch's own (OpenMP) wait by spinning: on a machine with other
/// work they made training ten times slower.
const ParallelFor& arena_parallel();

}  // namespace farrier
