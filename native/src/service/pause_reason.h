// Reasons to postpone background work: the state of the machine.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string>

namespace resident {

enum class PauseReason : uint8_t {
  kNone,
  kBattery,  // the machine runs on battery
  kLoad,     // load average of one minute is at least the number of cores
};

// Reads <root>/sys/class/power_supply and <root>/proc/loadavg. A missing file gives no reason.
PauseReason pause_reason(const std::string& root, unsigned cores);

}  // namespace resident
