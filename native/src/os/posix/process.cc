#include "os/process.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace resident {

std::chrono::nanoseconds process_cpu_time() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

ProcessId parent_process() {
  return ::getppid();
}

bool process_exists(ProcessId process) {
  return ::kill(static_cast<pid_t>(process), 0) == 0;
}

}  // namespace resident
