#include <poll.h>

#include <cerrno>
#include <vector>

#include "os/event_loop.h"

namespace resident {

bool wait_for(std::span<Awaited> awaited, int milliseconds) {
  std::vector<pollfd> fds;
  fds.reserve(awaited.size());
  for (const Awaited& each : awaited) {
    const int wanted =
        ((each.wanted & kReadable) ? POLLIN : 0) | ((each.wanted & kWritable) ? POLLOUT : 0);
    fds.push_back({each.fd, static_cast<short>(wanted), 0});
  }
  const int count = ::poll(fds.data(), fds.size(), milliseconds);
  for (size_t i = 0; i < fds.size(); ++i) {
    const short found = count > 0 ? fds[i].revents : short{0};
    awaited[i].ready = ((found & POLLIN) ? kReadable : 0) | ((found & POLLOUT) ? kWritable : 0) |
                       ((found & (POLLERR | POLLHUP | POLLNVAL)) ? kBroken : 0);
  }
  return count >= 0 || errno == EINTR;
}

}  // namespace resident
