// is_open_for_writing: whether any process has a file open so that it can write to it.
//
// The kernel gives a read lease on a file only where that is not so; it is given back at once. See
// fcntl(2), F_SETLEASE.
#pragma once

#include <string>

namespace resident {

// False also where that cannot be told: the file is another user's, or its file system has no
// leases. Costs five system calls. Any thread.
bool is_open_for_writing(const std::string& path);

}  // namespace resident
