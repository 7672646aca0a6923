// use_private_fd_table: gives the calling thread its own table of open files, until it ends.
// Threads share one table otherwise. The kernel then counts references to a file in each call with
// its descriptor, because another thread might close it. This costs 4% of the time of an lstat.
//
// No other thread can use or close the files that this thread opens afterwards. This thread cannot
// use or close the files of other threads, except the first three descriptors. The process's limit
// of open files applies to each table separately.
//
// Threads: a thread started for this purpose, which ends with its files.
#pragma once

namespace resident {

// False: the system does not support it, or a rule forbids it. Nothing has changed then.
bool use_private_fd_table();

}  // namespace resident
