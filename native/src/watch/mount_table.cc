#include "watch/mount_table.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>

namespace resident {

Result<MountTable> MountTable::open() {
  UniqueFd table(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!table.valid()) return error_from_errno(errno, "/proc/self/mountinfo");
  return MountTable(std::move(table));
}

bool MountTable::changed() {
  // proc(5): a change since the last poll is told as an exceptional condition.
  pollfd ready{table_.get(), POLLPRI, 0};
  return ::poll(&ready, 1, 0) != 0;
}

}  // namespace resident
