// disk_reads: how much of what this process read was not in memory, in blocks of 512 bytes since it
// began. For telling whether its threads wait for a disk. 0 where the system does not count.
//
// Threads: any.
#pragma once

#include <cstdint>

namespace resident {

uint64_t disk_reads();

}  // namespace resident
