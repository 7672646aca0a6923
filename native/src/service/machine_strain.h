// Whether the machine has something better to do than what can wait.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string>

namespace resident {

enum class Strain : uint8_t {
  kNone,
  kBattery,  // a battery is what the machine runs on
  kLoad,     // as many threads want to run as there are cores, in the mean of a minute
};

// Reads <root>/sys/class/power_supply and <root>/proc/loadavg; what is not there strains nobody.
Strain machine_strain(const std::string& root, unsigned cores);

}  // namespace resident
