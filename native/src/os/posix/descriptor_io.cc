#include "os/descriptor_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>

#include "os/posix/io_result.h"

namespace resident {

const size_t kMaxAtomicWrite = PIPE_BUF;

IoResult read_some(int fd, void* into, size_t size) {
  return io_result(size, [&] { return ::read(fd, into, size); });
}

IoResult write_some(int fd, const void* bytes, size_t size) {
  return io_result(size, [&] { return ::write(fd, bytes, size); });
}

bool is_locked_by_another(int fd) {
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace resident
