// Watcher over fanotify(7): one of those that share the process's group (FanotifyQueue). It
// watches directories of file systems whose files have lasting handles, and no single files; where
// it cannot, it is at the limit.
//
// It does not tell, by the name of a directory in a watched one, that its attributes changed.
#pragma once

#include <functional>

#include "watch/linux/fanotify/fanotify_queue.h"
#include "watch/queue_user.h"
#include "watch/watcher.h"

namespace resident {

class FanotifyWatcher final : public Watcher {
 public:
  // `wake` is called as make_inotify_watcher() has it. Nothing is made before the first add().
  explicit FanotifyWatcher(std::function<void()> wake) : user_(std::move(wake)) {}

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override;
  Result<Added> add_file(const std::string&) override { return Added{kNoWatch, true}; }
  void remove(WatchId id) override { user_.remove(id); }
  Batch drain() override { return user_.drain(); }
  bool tells_everything(const Directory& directory) const override;
  bool tells_of_subdirectories() const override { return false; }

  // Whether any watcher of this process has it by fanotify.
  bool has(const Directory& directory) const;
  // Whether anything was to be watched.
  bool is_used() const { return user_.joined() != nullptr; }
  // Whether there is a group to be had.
  bool can_watch() { return user_.queue() != nullptr; }

 private:
  QueueUser<FanotifyQueue> user_;
};

}  // namespace resident
