// The floor: nothing but the system calls that a status needs. What is measured against it cannot
// be faster, short of not asking.
//
//   hot    each directory: openat, fstat, close; each tracked file: fstatat
//   cold   hot, and getdents64 of each directory to its end
//   watch  each directory: inotify_add_watch, by its path from the root
//
// Relative to the parent's descriptor, which is the cheapest way that the kernel offers; each
// thread has a bounded number of descriptors open.
//
// Threads: those that it starts; it returns when all are done.
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
  uint64_t files = 0;    // of which fstatat said something
  uint64_t missing = 0;  // directories or files that are not there
  uint64_t names = 0;    // that getdents64 gave
};

// kIo where the watches do not suffice.
Result<FloorResult> walk_floor(const std::string& worktree, const DirectoryPlan& plan,
                               FloorWork work, unsigned threads);

}  // namespace resident::bench
