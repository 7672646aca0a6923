// InotifyQueue: the only inotify instance of this process, shared by all of its watchers. A user
// has 128 instances, and a window can have a thousand worktrees. See WatchQueue.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "watch/linux/watch_queue.h"

namespace resident {

class InotifyQueue final : public WatchQueue {
 public:
  // Fails at the limit of instances, files or threads for the user or the process. The error names
  // the limit to raise.
  static Result<std::shared_ptr<InotifyQueue>> of_process();
  ~InotifyQueue() override { stop(); }

  // Parameters of inotify_add_watch(2).
  Result<Watcher::Added> watch(WatcherNumber watcher, const char* path, uint32_t mask)
      EXCLUDES(adding_, mutex_);

 private:
  explicit InotifyQueue(UniqueFd queue);
  static Result<std::shared_ptr<InotifyQueue>> make();

  void take(std::span<const char> events) override REQUIRES(mutex_);
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_);
};

}  // namespace resident
