// Which file systems tell of every change.
//
// Threads: any.
#pragma once

#include "fs/file_system.h"

namespace resident {

// Whether only this host writes to the directory's file system. `directory` is a
// PosixFileSystem's.
bool is_on_local_file_system(const Directory& directory);

}  // namespace resident
