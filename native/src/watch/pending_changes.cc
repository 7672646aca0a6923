#include "watch/pending_changes.h"

#include <utility>

namespace resident {

void PendingChanges::mark(WatchId directory, std::string_view name, NameMark mark) {
  MutexLock lock(mutex_);
  batch_.mark(directory, name, mark, std::chrono::steady_clock::now());
}

void PendingChanges::desync(std::string reason, Lost lost) {
  MutexLock lock(mutex_);
  batch_.desync(std::move(reason), lost, std::chrono::steady_clock::now());
}

Batch PendingChanges::take() {
  MutexLock lock(mutex_);
  return batch_.take();
}

bool PendingChanges::empty() const {
  MutexLock lock(mutex_);
  return batch_.empty();
}

}  // namespace resident
