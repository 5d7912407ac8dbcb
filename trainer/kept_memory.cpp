#include "trainer/kept_memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace farrier {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kNever = 1 << 30;
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, kNever);
#endif
}

}  // namespace farrier
