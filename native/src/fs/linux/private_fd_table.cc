#include "fs/linux/private_fd_table.h"

#include <dirent.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace resident {

namespace {

constexpr int kFirst = 3;

// Fallback for kernels without close_range(2).
void close_inherited() {
  std::vector<int> descriptors;
  if (DIR* const open = ::opendir("/proc/thread-self/fd")) {
    while (const dirent* entry = ::readdir(open)) descriptors.push_back(std::atoi(entry->d_name));
    ::closedir(open);
  }
  for (const int descriptor : descriptors) {
    // Not ::close(): a sanitizer tracks the C library's function, and knows only one table.
    if (descriptor >= kFirst) (void)::syscall(SYS_close, descriptor);
  }
}

}  // namespace

// close_range(2) is newer than the oldest headers and kernels. It copies none of the closed files.
bool use_private_fd_table() {
  constexpr long kCloseRange = 436;
  constexpr unsigned kUnshare = 1U << 1;
  if (::syscall(kCloseRange, kFirst, ~0U, kUnshare) == 0) return true;
  if (::unshare(CLONE_FILES) != 0) return false;
  close_inherited();
  return true;
}

}  // namespace resident
