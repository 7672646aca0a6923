#include "os/threads.h"

#include <pthread.h>
#include <sched.h>

namespace resident {

void ensure_thread_stacks() {
#ifndef __GLIBC__
  // Default stack of a thread: 128 KiB in musl; in glibc, the size of the first thread's stack.
  constexpr size_t kStack = size_t{8} << 20;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
#endif
}

int current_processor() {
  return ::sched_getcpu();
}

void leave_processor(int processor) {
  if (::sched_getcpu() != processor) return;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<size_t>(processor), &others);
  if (CPU_COUNT(&others) == 0 || ::sched_setaffinity(0, sizeof others, &others) != 0) return;
  (void)::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace resident
