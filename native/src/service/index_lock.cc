#include "service/index_lock.h"

#include <algorithm>
#include <utility>

#include "fs/open_for_writing.h"

namespace resident {

namespace {

// git closes the lock just before it makes it the index: so often it is seen open until then.
constexpr std::chrono::milliseconds kLookInterval = IndexLock::kQuiet / 4;

}  // namespace

bool IndexLock::is_held(uint64_t activity, Time now) {
  Result<FileStat> stat = fs_.lstat(path_);
  if (!stat.ok()) {
    lock_.reset();
    return false;
  }
  // git writes the new index into it, so that its size and times change.
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

// Of the index, which git replaces, this is never so: where it seems so, the file system does not
// tell.
bool IndexLock::is_open() const {
  return is_open_for_writing(path_) && !is_open_for_writing(index_);
}

}  // namespace resident
