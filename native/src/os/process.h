// Information about this process.
//
// A port supplies every function of this header.
//
// Threads: any.
#pragma once

#include <chrono>

namespace resident {

// The processor time used by all threads of this process.
std::chrono::nanoseconds process_cpu_time();

}  // namespace resident
