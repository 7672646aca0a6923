#include "os/unique_fd.h"

#include <unistd.h>

namespace resident {

void close_descriptor(int fd) {
  ::close(fd);
}

}  // namespace resident
