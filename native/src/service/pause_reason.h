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

// `root`: see os/power.h.
PauseReason pause_reason(const std::string& root, unsigned cores);

}  // namespace resident
