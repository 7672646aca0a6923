// EventApplier: rechecks the names that events of a per-directory watcher marked.
//
// Calls NameRechecker.
//
// Threads: the tree's owner.
#pragma once

#include "tree/name_rechecker.h"
#include "watch/batch.h"

namespace resident {

class EventApplier {
 public:
  // All arguments outlive this object.
  EventApplier(TreeState& state, NameRechecker& rechecker) : state_(state), rechecker_(rechecker) {}

  // Rechecks all names that events marked. Not for a desynced batch. False: a full scan is needed.
  bool apply(const Batch& batch);

 private:
  void mark_recent(WatchId watch);
  bool recheck_watched(WatchId watch, bool arrived);
  void recheck_directory(DirectoryNode& node);

  TreeState& state_;
  NameRechecker& rechecker_;
};

}  // namespace resident
