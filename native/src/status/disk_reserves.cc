#include "status/disk_reserves.h"

namespace resident {

namespace {

constexpr unsigned kThreadsOfOneDisk = 8;
constexpr unsigned kThreadsAlone = 16;
// Few reads do not prove a cold disk: other programs may have made new directories, or a pack was
// read.
constexpr uint64_t kFewReads = 2048;
// Starting a program and its libraries from disk does not prove it either.
constexpr uint64_t kReadsToBegin = 16384;

}  // namespace

Reserves disk_reserves(unsigned threads, bool alone, uint64_t (*reads)()) {
  if (threads < 2) return {};
  const uint64_t before = reads();
  if (!alone) return {kThreadsOfOneDisk, [=] { return reads() - before > kFewReads; }};
  const uint64_t few = before > kReadsToBegin ? 0 : before + kFewReads;
  return {kThreadsAlone, [=] { return reads() > few; }};
}

}  // namespace resident
