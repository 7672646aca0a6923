// FileSystem over Linux system calls: openat, fstatat, raw getdents64.
#pragma once

#include "fs/file_system.h"

namespace resident {

// The one instance; it has no state.
FileSystem& posix_file_system();

}  // namespace resident
