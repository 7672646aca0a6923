// leave_processor(processor): the calling thread goes on at another one, where it may. A thread can
// begin on the processor of the one that started it, and the system takes milliseconds to find out
// that another is idle.
//
// Threads: any.
#pragma once

#include <sched.h>

namespace resident {

inline void leave_processor(int processor) {
  if (::sched_getcpu() != processor) return;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<size_t>(processor), &others);
  if (CPU_COUNT(&others) == 0 || ::sched_setaffinity(0, sizeof others, &others) != 0) return;
  (void)::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace resident
