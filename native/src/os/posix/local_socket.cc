// Parts of local_socket.h that every POSIX system has.
#include "os/local_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "os/posix/io_result.h"

namespace resident {

namespace {

void set_timeout(int socket, int option, std::chrono::milliseconds timeout) {
  timeval limit{};
  limit.tv_sec = timeout.count() / 1000;
  limit.tv_usec = timeout.count() % 1000 * 1000;
  ::setsockopt(socket, SOL_SOCKET, option, &limit, sizeof limit);
}

}  // namespace

bool fits_socket_address(const std::string& path) {
  return path.size() < sizeof(sockaddr_un::sun_path);
}

void set_receive_timeout(int socket, std::chrono::milliseconds timeout) {
  set_timeout(socket, SO_RCVTIMEO, timeout);
}

void set_send_timeout(int socket, std::chrono::milliseconds timeout) {
  set_timeout(socket, SO_SNDTIMEO, timeout);
}

IoResult receive_some(int socket, void* into, size_t size) {
  return io_result(size, [&] { return ::recv(socket, into, size, 0); });
}

}  // namespace resident
