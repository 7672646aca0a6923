// DirectoryHints: the dnotify hints (fcntl(2), F_NOTIFY) for all watchers of this process. See
// WatchQueue.
//
// Every kernel supports them, in every container. Their only limit is that on open files, because a
// directory with a hint stays open (HintKeeper). A hint reports that something happened in a
// directory, but not to which name. Writes through a mapping cause no hint. Hints therefore decide
// where to poll first, but replace no poll.
//
// The kernel sends each hint as a signal to one thread, the queue's own. Only this thread blocks
// the signal, so no other thread receives it. If the kernel's signal queue is full
// (RLIMIT_SIGPENDING), hints are lost without notice.
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
#include "watch/linux/watch_queue.h"

namespace resident {

class DirectoryHints final : public WatchQueue {
 public:
  // Fails if no thread or no descriptor can be had.
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
  // The reader ends watches, many at once, because each call hands work to a keeper's thread.
  void end_soon() override { call_reader(); }
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_)
      EXCLUDES(mutex_, keepers_mutex_);
  // Returns the number of a keeper with room for more. keepers_.size(): no keeper has room.
  size_t find_room() REQUIRES(keepers_mutex_);

  std::atomic<pid_t> reader_ = 0;  // thread that receives the signals; 0: not running yet
  Mutex keepers_mutex_;            // locked after adding_, before mutex_
  std::vector<std::unique_ptr<HintKeeper>> keepers_ GUARDED_BY(keepers_mutex_);
};

}  // namespace resident
