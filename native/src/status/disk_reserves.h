// disk_reserves: more threads than processors for a disk whose directories are not in memory. It
// serves several requests at once faster than one after the other.
#pragma once

#include "base/work_stack.h"
#include "fs/disk_reads.h"

namespace resident {

// What is read from now on tells. None for a caller that wants one thread. `alone`: the process
// does nothing else, so that it may have more of them; and what it has read already tells, too, the
// index. `reads` says how much was read, as disk_reads() does.
Reserves disk_reserves(unsigned threads, bool alone, uint64_t (*reads)() = disk_reads);

}  // namespace resident
