// PendingChanges: collects events in a Batch.
//
// Threads: every member from any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/thread_annotations.h"
#include "watch/batch.h"

namespace resident {

class PendingChanges {
 public:
  using Lost = Batch::Lost;

  void mark(WatchId directory, std::string_view name, NameMark mark) EXCLUDES(mutex_);
  void desync(std::string reason, Lost lost) EXCLUDES(mutex_);
  Batch take() EXCLUDES(mutex_);
  bool empty() const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  Batch batch_ GUARDED_BY(mutex_);
};

}  // namespace resident
