#include "fs/open_for_writing.h"

#include <fcntl.h>

#include <cerrno>
#include <csignal>

#include "base/unique_fd.h"

namespace resident {

bool is_open_for_writing(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  // Who opens the file for writing while we have the lease is held up, and we are sent a signal:
  // one that does nothing, where the default one ends the process.
  if (!fd.valid() || ::fcntl(fd.get(), F_SETSIG, SIGURG) != 0) return false;
  if (::fcntl(fd.get(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
  (void)::fcntl(fd.get(), F_SETLEASE, F_UNLCK);
  return false;
}

}  // namespace resident
