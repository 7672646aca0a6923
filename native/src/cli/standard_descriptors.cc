#include "cli/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace resident {

bool open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The kernel returns the lowest free number: this descriptor. Children inherit it.
    if (::open("/dev/null", O_RDWR) < 0) return false;
  }
  return true;
}

}  // namespace resident
