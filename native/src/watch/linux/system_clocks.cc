// HostWatch::system_clocks(): see clock_gettime(2).
#include <time.h>

#include "watch/host_watch.h"

namespace resident {

namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

HostWatch::Clocks HostWatch::system_clocks() {
  return {[] { return read_clock(CLOCK_MONOTONIC); }, [] { return read_clock(CLOCK_BOOTTIME); }};
}

}  // namespace resident
