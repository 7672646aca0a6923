#include "service/index_lock.h"

#include <algorithm>
#include <utility>

#include "fs/open_for_writing.h"

namespace resident {

namespace {

// Interval of checks for an open lock. git closes the lock just before it renames it to the index.
constexpr std::chrono::milliseconds kLookInterval = IndexLock::kQuiet / 4;

}  // namespace

bool IndexLock::is_held(uint64_t activity, Time now) {
  Result<FileStat> stat = fs_.lstat(path_);
  if (!stat.ok()) {
    lock_.reset();
    return false;
  }
  // git writes the new index into the lock: its size and times change, its inode does not.
  if (!lock_ || lock_->device != stat->device || lock_->inode != stat->inode) {
    since_ = last_open_ = last_active_ = now;
    expired_ = false;
  }
  lock_ = *stat;
  if (std::exchange(activity_, activity) != activity) last_active_ = now;
  if (now - last_open_ > kLookInterval && is_open()) last_open_ = now;
  expired_ |= now - std::max(last_active_, last_open_) > kQuiet || now - last_open_ > kLongest ||
              now - since_ > kForever;
  return !expired_;
}

// git replaces the index by rename and never opens it for writing. If the index seems open for
// writing, this file system's report is useless.
bool IndexLock::is_open() const {
  return is_open_for_writing(path_) && !is_open_for_writing(index_);
}

}  // namespace resident
