#include "trainer/sparse_loops.h"

#include "trainer/sparse_loop_code.h"

namespace farrier {

const SparseLoops& baseline_sparse_loops() { return kSparseLoops; }

const SparseLoops& sparse_loops() {
#ifdef FARRIER_X86_LEVELS
  static const bool runs_v4 = __builtin_cpu_supports("x86-64-v4") != 0;
  if (runs_v4) return x86_64_v4_sparse_loops();
#endif
  return baseline_sparse_loops();
}

}  // namespace farrier
