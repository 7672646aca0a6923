// disk_reserves: allows more threads than processors if directories must be read from disk. A disk
// serves several parallel requests faster than single ones.
#pragma once

#include "fs/disk_reads.h"
#include "parallel/work_stack.h"

namespace resident {

// Counts disk reads from this call on. No reserves if `threads` is 1. `alone`: the process does
// nothing else. Then it may use more threads, and reads before this call (the index) count too.
// `reads` returns the number of reads, like disk_reads().
Reserves disk_reserves(unsigned threads, bool alone, uint64_t (*reads)() = disk_reads);

}  // namespace resident
