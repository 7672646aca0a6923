// KernelEntry: the entry that getdents64(2) returns for each name, the kernel's struct
// linux_dirent64.
#pragma once

#include <dirent.h>

namespace resident {

#ifdef __GLIBC__
using KernelEntry = dirent64;
#else
using KernelEntry = dirent;
#endif

}  // namespace resident
