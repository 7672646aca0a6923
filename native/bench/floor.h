// The floor: only the system calls that a status needs. No status can be faster with the same
// calls.
//
//     hot    each directory: openat, fstat, close; each tracked file: fstatat
//     cold   hot, and getdents64 of each directory to its end
//     watch  each directory: inotify_add_watch, by its path from the root
//
// Calls are relative to the parent's descriptor, the cheapest way in the kernel. Each thread holds
// a bounded number of open descriptors.
//
// Threads: starts its own, and returns when all are done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "bench/directory_plan.h"

namespace resident::bench {

enum class FloorWork : uint8_t { kHot, kCold, kWatch };

struct FloorResult {
  std::chrono::nanoseconds time{0};
  uint64_t directories = 0;
  uint64_t files = 0;    // successful fstatat calls
  uint64_t missing = 0;  // missing directories or files
  uint64_t names = 0;    // entries from getdents64
};

// kIo if the watches do not suffice.
Result<FloorResult> walk_floor(const std::string& worktree, const DirectoryPlan& plan,
                               FloorWork work, unsigned threads);

}  // namespace resident::bench
