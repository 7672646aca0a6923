// InotifyQueue: the one inotify instance of this process, shared by all of its watchers: a user has
// 128 of them, and a window can have a thousand worktrees.
//
// A directory that several watchers want has one watch; each of them is told what it asked for. A
// thread of the queue's own reads the kernel's queue as soon as there is something in it, because
// that holds 16,384 events by default and a lazy reader overflows it.
//
// Exact: read() takes in everything that the kernel has queued, for all watchers, and never waits
// for that thread to do so.
//
// Threads: any.
#pragma once

#include <sys/inotify.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"
#include "watch/inotify/watch_table.h"
#include "watch/pending_changes.h"

namespace resident {

class InotifyQueue {
 public:
  using WatcherNumber = WatchTable::WatcherNumber;

  // Fails where the user, or the process, has as many instances or files as may be.
  static Result<std::shared_ptr<InotifyQueue>> of_process();
  ~InotifyQueue();

  // Events go to `pending`, then `wake` is called: on the queue's thread or on any that reads, and
  // it must not block. Both must outlive the registration.
  WatcherNumber add_watcher(PendingChanges& pending, std::function<void()> wake)
      EXCLUDES(mutex_, read_mutex_);
  // Ends its watches. Nothing of it is called or written after this returns.
  void remove_watcher(WatcherNumber watcher) EXCLUDES(mutex_, read_mutex_);

  // As inotify_add_watch(2).
  Result<Watcher::Added> watch(WatcherNumber watcher, const char* path, uint32_t mask)
      EXCLUDES(mutex_);
  void remove_watch(WatcherNumber watcher, WatchId id) EXCLUDES(mutex_);

  // Takes in what is queued. `asker` looks at what it has itself and is not woken.
  void read(WatcherNumber asker) EXCLUDES(mutex_, read_mutex_);

 private:
  struct Registered {
    PendingChanges* pending;
    std::function<void()> wake;
    bool has_news = false;
  };

  InotifyQueue(UniqueFd queue, UniqueFd stop);

  void read_loop();
  void read_queued() REQUIRES(read_mutex_) EXCLUDES(mutex_);
  void take(const inotify_event& event) REQUIRES(mutex_);
  void note_news(WatcherNumber number, Registered& watcher) REQUIRES(mutex_);
  void desync_all(const char* reason, PendingChanges::Lost lost) REQUIRES(mutex_);
  void wake_all_but(WatcherNumber asker) REQUIRES(read_mutex_) EXCLUDES(mutex_);

  // Constant after construction.
  const UniqueFd queue_;
  const UniqueFd stop_;

  // Held while events are taken in and watchers are woken.
  Mutex read_mutex_;  // before mutex_
  alignas(inotify_event) std::array<char, 64 * 1024> buffer_ GUARDED_BY(read_mutex_);
  // A watch is entered under the same lock under which the kernel gives it, so that no event of it
  // is met before.
  Mutex mutex_;
  WatchTable watches_ GUARDED_BY(mutex_);
  std::map<WatcherNumber, Registered> watchers_ GUARDED_BY(mutex_);
  WatcherNumber last_number_ GUARDED_BY(mutex_) = 0;
  std::vector<WatcherNumber> with_news_ GUARDED_BY(mutex_);  // to be woken

  std::thread reader_;
};

}  // namespace resident
