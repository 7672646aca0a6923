// KernelEntry: what getdents64(2) gives for each name, the kernel's struct linux_dirent64.
#pragma once

#include <dirent.h>

namespace resident {

#ifdef __GLIBC__
using KernelEntry = dirent64;
#else
using KernelEntry = dirent;
#endif

}  // namespace resident
