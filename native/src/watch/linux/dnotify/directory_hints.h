// DirectoryHints: the hints of dnotify (fcntl(2), F_NOTIFY) that all watchers of this process have.
// See WatchQueue.
//
// Every kernel gives them, by the rules of any container, and without a limit but that on open
// files: a directory with a hint is open (HintKeeper). They tell only that something happened in a
// directory, not to which name, and nothing of what is written through a mapping. So they say where
// to look first, and spare no look.
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
#include <string>
#include <vector>

#include "watch/linux/dnotify/hint_keeper.h"
#include "watch/watch_queue.h"

namespace resident {

class DirectoryHints final : public WatchQueue {
 public:
  // Fails where there is no thread, or no descriptor, to be had.
  static Result<std::shared_ptr<DirectoryHints>> of_process();
  ~DirectoryHints() override { stop(); }

  // See Watcher::add_hints().
  std::vector<WatchId> add(WatcherNumber watcher, std::span<const std::string> directories)
      EXCLUDES(adding_, mutex_, keepers_mutex_);

 private:
  using WatchQueue::WatchQueue;
  static Result<std::shared_ptr<DirectoryHints>> make();

  void begin_reading() override;
  void take(std::span<const char> events) override REQUIRES(mutex_);
  // By the reader, many at once: each is a hand-over to a keeper.
  void end_soon() override { call_reader(); }
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_)
      EXCLUDES(mutex_, keepers_mutex_);
  // The number of one that has room for more; keepers_.size(): there is none.
  size_t find_room() REQUIRES(keepers_mutex_);

  std::atomic<pid_t> reader_ = 0;  // the thread that gets the signals; 0: it does not run yet
  Mutex keepers_mutex_;            // after adding_, before mutex_
  std::vector<std::unique_ptr<HintKeeper>> keepers_ GUARDED_BY(keepers_mutex_);
};

}  // namespace resident
