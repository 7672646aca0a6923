// is_open_for_writing: whether any process has a file open for writing.
//
// The kernel grants a read lease only on a file that no process has open for writing. The lease is
// released at once. See fcntl(2), F_SETLEASE.
#pragma once

#include <string>

namespace resident {

// False also if this is unknown: another user owns the file, or its file system has no leases.
// Costs five system calls. Any thread.
bool is_open_for_writing(const std::string& path);

}  // namespace resident
