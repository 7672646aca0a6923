// Information about this process and others.
//
// A port supplies every function of this header. Information about another process can be missing:
// it has ended, belongs to another user, or the system does not tell.
//
// Threads: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace resident {

using ProcessId = int64_t;

// The processor time used by all threads of this process.
std::chrono::nanoseconds process_cpu_time();

ProcessId parent_process();
bool process_exists(ProcessId process);

// Arguments of a process, each ending in NUL; "" if unreadable. Truncated at 64 KiB.
std::string command_line_of(ProcessId process);
// The environment with which a process was started, each variable ending in NUL. nullopt if it is
// not fully readable, or larger than 1 MiB.
std::optional<std::string> environment_of(ProcessId process);
// Real path of a process's working directory; "" if unknown.
std::string working_directory_of(ProcessId process);

// The file of the running program.
Result<std::string> own_program();
// Whether the file is a program of this system, and not a script.
bool is_native_program(const std::string& path);

}  // namespace resident
