#include "os/memory.h"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace resident {

void trim_heap() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  // musl returns free memory without a call.
}

}  // namespace resident
