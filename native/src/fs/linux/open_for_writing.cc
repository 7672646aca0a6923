#include "fs/open_for_writing.h"

#include <fcntl.h>

#include <cerrno>
#include <csignal>

#include "os/unique_fd.h"

namespace resident {

bool is_open_for_writing(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  // During our lease, another process that opens the file for writing must wait, and we get a
  // signal. The default signal would end this process; SIGURG is ignored by default.
  if (!fd.valid() || ::fcntl(fd.get(), F_SETSIG, SIGURG) != 0) return false;
  if (::fcntl(fd.get(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
  (void)::fcntl(fd.get(), F_SETLEASE, F_UNLCK);
  return false;
}

}  // namespace resident
