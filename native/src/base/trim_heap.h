// trim_heap(): what the allocator keeps between allocations goes back to the system.
//
// Threads: any.
#pragma once

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace resident {

inline void trim_heap() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  // musl does so by itself.
}

}  // namespace resident
