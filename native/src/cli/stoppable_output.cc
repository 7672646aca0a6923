#include "cli/stoppable_output.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>

namespace resident {

StoppableOutput::StoppableOutput(int fd) : fd_(fd), stop_(::eventfd(0, EFD_CLOEXEC)) {
}

bool StoppableOutput::write(std::string_view text) {
  while (!text.empty()) {
    std::array<pollfd, 2> fds{{{fd_, POLLOUT, 0}, {stop_.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (stopped_) return false;
    // A ready pipe accepts this many bytes without blocking.
    const ssize_t count = ::write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
  return !stopped_;
}

void StoppableOutput::stop() {
  stopped_ = true;
  const uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
}

}  // namespace resident
