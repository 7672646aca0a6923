// Parts of local_socket.h that every POSIX system has.
#include "os/local_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <thread>

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

Result<UniqueFd> lock_directory(const std::string& directory) {
  constexpr int kTries = 200;
  UniqueFd lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.valid()) return error_from_errno(errno, directory);
  for (int i = 0; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (i == kTries) return error_from_errno(errno, directory);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return lock;
}

std::error_code create_new_file(const std::string& path, UniqueFd& file) {
  file.reset(::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  return file.valid() ? std::error_code() : std::error_code(errno, std::generic_category());
}

}  // namespace resident
