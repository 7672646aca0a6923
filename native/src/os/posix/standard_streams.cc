#include "os/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace resident {

bool open_standard_streams() {
  for (const int fd : {kStandardInput, kStandardOutput, kStandardError}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The kernel returns the lowest free number: this descriptor. Children inherit it.
    if (::open("/dev/null", O_RDWR) < 0) return false;
  }
  return true;
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

}  // namespace resident
