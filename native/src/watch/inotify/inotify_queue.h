// InotifyQueue: the one inotify instance of this process, shared by all of its watchers: a user has
// 128 of them, and a window can have a thousand worktrees.
//
// A directory that several watchers want has one watch; each of them is told what it asked for. A
// thread of the queue's own reads the kernel's queue as soon as there is something in it, because
// that holds 16,384 events by default and a lazy reader overflows it.
//
// Exact: read() takes in everything that the kernel has queued, for all watchers, and never waits
// for that thread to do so. No lock is held around the call that adds a watch, so that the threads
// of a scan do not wait for each other, and an event can be met before its descriptor is entered.
// Such an event is dropped: what it tells of is seen by whoever reads the directory after watch()
// has returned.
//
// Watches that a watcher leaves are ended by that thread too, a slice at a time: a worktree has one
// for each directory, and its end waits for none of them. Those of one watcher at most are left
// then.
//
// Threads: any.
#pragma once

#include <sys/inotify.h>

#include <array>
#include <atomic>
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

  // Fails where the user, or the process, has as many instances, files or threads as may be; the
  // error says which limit is to be raised.
  static Result<std::shared_ptr<InotifyQueue>> of_process();
  ~InotifyQueue();

  // Events go to `pending`, then `wake` is called: on the queue's thread or on any that reads, and
  // it must not block. Both must outlive the registration.
  WatcherNumber add_watcher(PendingChanges& pending, std::function<void()> wake)
      EXCLUDES(mutex_, read_mutex_);
  // Nothing of it is called or written after this returns.
  void remove_watcher(WatcherNumber watcher) EXCLUDES(adding_, mutex_, read_mutex_);

  // As inotify_add_watch(2).
  Result<Watcher::Added> watch(WatcherNumber watcher, const char* path, uint32_t mask)
      EXCLUDES(adding_, mutex_);
  void remove_watch(WatcherNumber watcher, WatchId id) EXCLUDES(adding_, mutex_);

  // Takes in what is queued. `asker` looks at what it has itself and is not woken.
  void read(WatcherNumber asker) EXCLUDES(mutex_, read_mutex_);

 private:
  struct Registered {
    PendingChanges* pending;
    std::function<void()> wake;
    bool has_news = false;
  };

  InotifyQueue(UniqueFd queue, UniqueFd call);
  static Result<std::shared_ptr<InotifyQueue>> make();

  void read_loop();
  void call_reader();
  bool has_unwanted() EXCLUDES(mutex_);
  // A slice of unwanted_. False where there are none.
  bool end_unwanted() EXCLUDES(adding_, mutex_);
  void read_queued() REQUIRES(read_mutex_) EXCLUDES(mutex_);
  void take(const inotify_event& event) REQUIRES(mutex_);
  void note_news(WatcherNumber number, Registered& watcher) REQUIRES(mutex_);
  void desync_all(const char* reason, PendingChanges::Lost lost) REQUIRES(mutex_);
  void wake_all_but(WatcherNumber asker) REQUIRES(read_mutex_) EXCLUDES(mutex_);

  // Constant after construction.
  const UniqueFd queue_;
  const UniqueFd call_;  // an eventfd(2): something else than events waits for the reader
  std::atomic<bool> stopped_ = false;

  // Held while events are taken in and watchers are woken.
  Mutex read_mutex_;  // before the others
  alignas(inotify_event) std::array<char, 64 * 1024> buffer_ GUARDED_BY(read_mutex_);
  // Shared from before the kernel gives a watch until it is entered; held alone while watches are
  // ended. So none is ended that the kernel has just given to somebody else.
  SharedMutex adding_;               // before mutex_
  std::atomic<uint64_t> ended_ = 0;  // slices

  Mutex mutex_;
  WatchTable watches_ GUARDED_BY(mutex_);
  std::map<WatcherNumber, Registered> watchers_ GUARDED_BY(mutex_);
  WatcherNumber last_number_ GUARDED_BY(mutex_) = 0;
  std::vector<WatcherNumber> with_news_ GUARDED_BY(mutex_);  // to be woken
  // To be ended, unless somebody has come to want them.
  std::vector<WatchId> unwanted_ GUARDED_BY(mutex_);

  std::thread reader_;
};

}  // namespace resident
