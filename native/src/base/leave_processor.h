// leave_processor(processor): moves the calling thread from `processor` to another one, if allowed.
// A new thread can begin on the processor of its starter. The system may need milliseconds to move
// the thread to an idle processor.
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
