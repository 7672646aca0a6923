// The environment of this process: variables, working directory, system, time zone.
//
// A port supplies every function of this header. std::getenv() reads a single variable.
//
// Threads: any, while no thread changes a variable.
#pragma once

#include <ctime>
#include <string>

namespace resident {

// "NAME=value" of each variable; null after the last.
const char* const* environment_variables();

// Change a variable. Only the first thread, before any other starts.
void set_variable(const char* name, const std::string& value);
void unset_variable(const char* name);

// The path of the working directory; "" if it was removed.
std::string working_directory();

// The name of the system, as `uname -s` prints it; "" if unknown.
std::string system_name();

// The time in the user's time zone.
std::tm local_time(std::time_t at);

}  // namespace resident
