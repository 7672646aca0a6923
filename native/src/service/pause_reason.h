// Why work that can wait should wait: the state of the machine.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string>

namespace resident {

enum class PauseReason : uint8_t {
  kNone,
  kBattery,  // a battery is what the machine runs on
  kLoad,     // as many threads want to run as there are cores, in the mean of a minute
};

// Reads <root>/sys/class/power_supply and <root>/proc/loadavg; what is not there is no reason.
PauseReason pause_reason(const std::string& root, unsigned cores);

}  // namespace resident
