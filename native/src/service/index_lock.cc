#include "service/index_lock.h"

#include <utility>

namespace resident {

bool IndexLock::is_held(uint64_t activity, Time now) {
  Result<FileStat> stat = fs_.lstat(path_);
  if (!stat.ok()) {
    lock_.reset();
    return false;
  }
  // git writes the new index into it, so that its size and times change.
  if (!lock_ || lock_->device != stat->device || lock_->inode != stat->inode) {
    since_ = last_active_ = now;
    expired_ = false;
  }
  lock_ = *stat;
  if (std::exchange(activity_, activity) != activity) last_active_ = now;
  expired_ |= now - last_active_ > kQuiet || now - since_ > kLongest;
  return !expired_;
}

}  // namespace resident
