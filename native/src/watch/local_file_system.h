// Knows which file systems report every change.
//
// Threads: any.
#pragma once

#include <cstdint>

#include "fs/file_system.h"

namespace resident {

// True if only this host writes to the directory's file system. `directory` belongs to a
// PosixFileSystem.
bool is_on_local_file_system(const Directory& directory);

// True if files of this file system type (f_type of statfs(2)) keep their handles until it is
// unmounted. No other file gets such a handle.
bool has_lasting_handles(uint32_t type);

}  // namespace resident
