// The state of the machine: its power supply and its load.
//
// A port supplies every function of this header. A system that does not tell gives no reason to
// postpone work.
//
// Threads: any.
#pragma once

#include <optional>
#include <string>

namespace resident {

// `root`: the directory that tests use instead of the file system's root.
bool runs_on_battery(const std::string& root = "");

// The average number of runnable threads in the last minute.
std::optional<double> load_average(const std::string& root = "");

}  // namespace resident
