// DirectoryHints: the hints of dnotify (fcntl(2), F_NOTIFY) that all watchers of this process have.
// See WatchQueue.
//
// Every kernel gives them, by the rules of any container, and their one limit is that on open
// descriptors. But they tell only that something happened in a directory, not to which name, and
// nothing of what is written through a mapping. So they say where to look first, and spare no look.
//
// The kernel sends each of them as a signal to one thread, the queue's own, which alone blocks it:
// nobody else in the process hears of it. Where it can queue no more of them (RLIMIT_SIGPENDING),
// they are lost, and nobody is told so.
//
// Threads: any.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "fs/file_system.h"
#include "watch/watch_queue.h"

namespace resident {

class DirectoryHints final : public WatchQueue {
 public:
  // Fails where there is no thread, or no descriptor, to be had.
  static Result<std::shared_ptr<DirectoryHints>> of_process();
  ~DirectoryHints() override { stop(); }

  // Marks the empty name from now on. The directory, one of a PosixFileSystem, is kept open until
  // remove_watch(). kNoWatch: the kernel gives none, or too many descriptors are open.
  WatchId add(WatcherNumber watcher, Directory directory) EXCLUDES(adding_, mutex_);

 private:
  DirectoryHints(UniqueFd signals, size_t most);
  static Result<std::shared_ptr<DirectoryHints>> make();

  void begin_reading() override;
  void take(std::span<const char> events) override REQUIRES(mutex_);
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_) EXCLUDES(mutex_);

  const size_t most_;
  std::atomic<pid_t> reader_ = 0;  // the thread that gets the signals; 0: it does not run yet
  std::unordered_map<WatchId, Directory> held_ GUARDED_BY(mutex_);
};

}  // namespace resident
