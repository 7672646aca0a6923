// Times in nanoseconds and memory of a process, for the bench programs.
//
// Threads: one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace resident::bench {

using Samples = std::vector<int64_t>;

class Clock {
 public:
  int64_t elapsed() const {
    return (std::chrono::steady_clock::now() - start_) / std::chrono::nanoseconds(1);
  }
  // Returns the time since the start or the last lap.
  int64_t lap() {
    const auto now = std::chrono::steady_clock::now();
    return (now - std::exchange(start_, now)) / std::chrono::nanoseconds(1);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct ProcessMemory {
  int64_t resident_kb = 0;
  int64_t peak_kb = 0;
};

// Reads /proc/<process>/status; "self" is this process. Zeros if unreadable.
ProcessMemory memory_of(const std::string& process);

}  // namespace resident::bench
