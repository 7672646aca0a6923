// Which file systems tell of every change.
//
// Threads: any.
#pragma once

#include <cstdint>

#include "fs/file_system.h"

namespace resident {

// Whether only this host writes to the directory's file system. `directory` is a
// PosixFileSystem's.
bool is_on_local_file_system(const Directory& directory);

// Whether a file of the file system with this number (f_type of statfs(2)) keeps its handle as long
// as that is mounted, and no other gets it.
bool has_lasting_handles(uint32_t type);

}  // namespace resident
