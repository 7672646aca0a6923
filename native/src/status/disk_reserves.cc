#include "status/disk_reserves.h"

#include "fs/disk_reads.h"

namespace resident {

namespace {

constexpr unsigned kThreadsOfOneDisk = 8;
constexpr unsigned kThreadsAlone = 16;
// A few reads are no cold disk: directories that were made by others lately, a pack.
constexpr uint64_t kFewReads = 2048;

}  // namespace

Reserves disk_reserves(unsigned threads, bool alone) {
  if (threads < 2) return {};
  return {alone ? kThreadsAlone : kThreadsOfOneDisk,
          [before = disk_reads()] { return disk_reads() - before > kFewReads; }};
}

}  // namespace resident
