// Watcher over fanotify(7). It shares the process's group with others (FanotifyQueue). It watches
// directories of file systems with lasting file handles, and no single files. If it cannot watch,
// it reports `at_limit`.
//
// It does not report attribute changes of a subdirectory under the subdirectory's name.
#pragma once

#include <functional>

#include "watch/linux/fanotify/fanotify_queue.h"
#include "watch/linux/queue_user.h"
#include "watch/watcher.h"

namespace resident {

class FanotifyWatcher final : public Watcher {
 public:
  // `wake` is called as in make_inotify_watcher(). The first add() joins the group.
  explicit FanotifyWatcher(std::function<void()> wake) : user_(std::move(wake)) {}

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override;
  Result<Added> add_file(const std::string&) override { return Added{kNoWatch, true}; }
  void remove(WatchId id) override { user_.remove(id); }
  Batch drain() override { return user_.drain(); }
  bool tells_everything(const Directory& directory) const override;
  bool tells_of_subdirectories() const override { return false; }

  // True if any watcher of this process watches it through fanotify.
  bool has(const Directory& directory) const;
  // True once the watcher has joined the group.
  bool is_used() const { return user_.joined() != nullptr; }
  // True if a fanotify group can be had.
  bool can_watch() { return user_.queue() != nullptr; }

 private:
  QueueUser<FanotifyQueue> user_;
};

}  // namespace resident
