#include "trainer/parallel.h"

#include <oneapi/tbb/parallel_for.h>

namespace farrier {

const ParallelFor& arena_parallel() {
  static const ParallelFor parallel = [](std::size_t count, const std::function<void(std::size_t)>& task) {
    tbb::parallel_for(std::size_t{0}, count, task);
  };
  return parallel;
}

}  // namespace farrier
