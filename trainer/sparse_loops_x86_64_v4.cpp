#include "trainer/sparse_loop_code.h"

namespace farrier {

const SparseLoops& x86_64_v4_sparse_loops() { return kSparseLoops; }

}  // namespace farrier
