#include "watch/pending_changes.h"

#include <utility>

namespace resident {

void PendingChanges::begin() {
  if (batch_.empty()) batch_.since = std::chrono::steady_clock::now();
}

void PendingChanges::mark(WatchId directory, std::string_view name, NameMark mark) {
  MutexLock lock(mutex_);
  if (!batch_.desynced.empty()) return;
  begin();
  NameMark& known = batch_.directories[directory][std::string(name)];
  known.arrived |= mark.arrived;
}

void PendingChanges::desync(std::string reason, Lost lost) {
  MutexLock lock(mutex_);
  begin();
  batch_.directories.clear();
  batch_.watches_lost |= lost == Lost::kWatches;
  if (batch_.desynced.empty()) batch_.desynced = std::move(reason);
}

Batch PendingChanges::take() {
  MutexLock lock(mutex_);
  return std::exchange(batch_, Batch{});
}

bool PendingChanges::empty() const {
  MutexLock lock(mutex_);
  return batch_.empty();
}

}  // namespace resident
