// InotifyQueue: the one inotify instance of this process, shared by all of its watchers: a user has
// 128 of them, and a window can have a thousand worktrees. See WatchQueue.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "watch/watch_queue.h"

namespace resident {

class InotifyQueue final : public WatchQueue {
 public:
  // Fails where the user, or the process, has as many instances, files or threads as may be; the
  // error says which limit is to be raised.
  static Result<std::shared_ptr<InotifyQueue>> of_process();
  ~InotifyQueue() override { stop(); }

  // As inotify_add_watch(2).
  Result<Watcher::Added> watch(WatcherNumber watcher, const char* path, uint32_t mask)
      EXCLUDES(adding_, mutex_);

 private:
  explicit InotifyQueue(UniqueFd queue);
  static Result<std::shared_ptr<InotifyQueue>> make();

  void take(std::span<const char> events) override REQUIRES(mutex_);
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_);
};

}  // namespace resident
