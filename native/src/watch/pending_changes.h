// PendingChanges: events become a Batch here, duplicates folded.
//
// Threads: every member from any thread.
#pragma once

#include <string_view>

#include "base/thread_annotations.h"
#include "watch/watcher.h"

namespace resident {

class PendingChanges {
 public:
  void mark(WatchId directory, std::string_view name, NameMark mark) EXCLUDES(mutex_);
  enum class Lost : uint8_t { kEvents, kWatches };
  // Keeps the first reason. What was marked so far is dropped: a rescan covers it.
  void desync(std::string reason, Lost lost) EXCLUDES(mutex_);
  Batch take() EXCLUDES(mutex_);
  bool empty() const EXCLUDES(mutex_);

 private:
  void begin() REQUIRES(mutex_);

  mutable Mutex mutex_;
  Batch batch_ GUARDED_BY(mutex_);
};

}  // namespace resident
