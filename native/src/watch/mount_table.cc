#include "watch/mount_table.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <utility>

#include "base/process_wide.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"

namespace resident {

class MountTable::Shared {
 public:
  explicit Shared(UniqueFd table) : table_(std::move(table)) {}

  // Another one after each change.
  uint64_t generation() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    // proc(5): a change since the last poll of this open file is told as an exceptional condition.
    pollfd ready{table_.get(), POLLPRI, 0};
    if (::poll(&ready, 1, 0) != 0) ++generation_;
    return generation_;
  }

 private:
  const UniqueFd table_;
  Mutex mutex_;
  uint64_t generation_ GUARDED_BY(mutex_) = 0;
};

MountTable::MountTable(std::shared_ptr<Shared> shared)
    : shared_(std::move(shared)), seen_(shared_->generation()) {
}

Result<MountTable> MountTable::open() {
  RESIDENT_TRY(
      std::shared_ptr<Shared> shared, process_wide<Shared>([] {
        UniqueFd table(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
        if (table.valid()) {
          return Result<std::shared_ptr<Shared>>(std::make_shared<Shared>(std::move(table)));
        }
        return Result<std::shared_ptr<Shared>>(error_from_errno(errno, "/proc/self/mountinfo"));
      }));
  return MountTable(std::move(shared));
}

bool MountTable::changed() {
  const uint64_t now = shared_->generation();
  return std::exchange(seen_, now) != now;
}

}  // namespace resident
