// use_private_fd_table: a table of open files for the calling thread alone, until it ends. Threads
// share one otherwise, and the kernel then counts a file up and down for each call that is given
// its descriptor, as another thread might close it meanwhile: 4% of the time of an lstat.
//
// What the thread opens from here on, no other thread can use or close, nor it what others opened;
// the first three descriptors stay as they are. What is open is counted against the process's limit
// for each table alone.
//
// Threads: one that was started for this, and ends with what it opened.
#pragma once

namespace resident {

// False: the system has no such thing, or a rule forbids it; then nothing is changed.
bool use_private_fd_table();

}  // namespace resident
