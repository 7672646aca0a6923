// disk_reads: the bytes that this process has read from a disk, not from memory, in blocks of 512
// bytes. The count starts with the process. It shows whether the threads wait for a disk. 0: the
// system does not count.
//
// Threads: any.
#pragma once

#include <cstdint>

namespace resident {

uint64_t disk_reads();

}  // namespace resident
