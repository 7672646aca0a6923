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

// For who has no close_range(2).
void close_inherited() {
  std::vector<int> descriptors;
  if (DIR* const open = ::opendir("/proc/thread-self/fd")) {
    while (const dirent* entry = ::readdir(open)) descriptors.push_back(std::atoi(entry->d_name));
    ::closedir(open);
  }
  for (const int descriptor : descriptors) {
    // A sanitizer, which knows one table, follows the C library's function.
    if (descriptor >= kFirst) (void)::syscall(SYS_close, descriptor);
  }
}

}  // namespace

// close_range(2) is younger than the oldest headers and kernels. It copies none of what it closes.
bool use_private_fd_table() {
  constexpr long kCloseRange = 436;
  constexpr unsigned kUnshare = 1U << 1;
  if (::syscall(kCloseRange, kFirst, ~0U, kUnshare) == 0) return true;
  if (::unshare(CLONE_FILES) != 0) return false;
  close_inherited();
  return true;
}

}  // namespace resident
