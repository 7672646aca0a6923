// trim_heap(): returns the allocator's free memory to the system.
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
  // musl returns free memory without a call.
}

}  // namespace resident
