// WatchQueue: what the queues of events have in common that a process has one of for all of its
// watchers (InotifyQueue, FanotifyQueue, DirectoryHints): who wants what, who is to be woken, the
// thread that reads, and the end of watches.
//
// A directory that several watchers want has one watch; each of them is told what it asked for. A
// thread of the queue's own reads the kernel's queue as soon as there is something in it, because
// that holds 16,384 events by default and a lazy reader overflows it.
//
// Exact: read() takes in everything that the kernel has queued, for all watchers, and never waits
// for that thread to do so. No lock is held around the call that adds a watch, so that the threads
// of a scan do not wait for each other, and an event can be met before its watch is entered. Such
// an event is dropped: what it tells of is seen by whoever reads the directory after it was added.
//
// Watches that a watcher leaves are ended by that thread too, a slice at a time: a worktree has one
// for each directory, and its end waits for none of them. Those of one watcher at most are left
// then.
//
// Threads: any. A derived class calls stop() in its destructor, before anything of it is gone.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"
#include "watch/pending_changes.h"
#include "watch/watch_table.h"

namespace resident {

class WatchQueue {
 public:
  using WatcherNumber = WatchTable::WatcherNumber;

  WatchQueue(const WatchQueue&) = delete;
  WatchQueue& operator=(const WatchQueue&) = delete;
  virtual ~WatchQueue() = default;

  // Events go to `pending`, then `wake` is called: on the queue's thread or on any that reads, and
  // it must not block. Both must outlive the registration.
  WatcherNumber add_watcher(PendingChanges& pending, std::function<void()> wake)
      EXCLUDES(mutex_, read_mutex_);
  // Nothing of it is called or written after this returns.
  void remove_watcher(WatcherNumber watcher) EXCLUDES(adding_, mutex_, read_mutex_);

  void remove_watch(WatcherNumber watcher, WatchId id) EXCLUDES(adding_, mutex_);

  // Takes in what is queued. `asker` looks at what it has itself and is not woken.
  void read(WatcherNumber client) EXCLUDES(mutex_, read_mutex_);

 protected:
  // What a watcher is told when events are lost.
  struct Reasons {
    const char* overflowed;
    const char* not_read;
    const char* not_polled;
  };

  WatchQueue(UniqueFd queue, const Reasons& reasons);
  // Begins to read. Fails where there is no thread, or no descriptor, to be had.
  Result<void> start();
  void stop();

  // --- For the kernel's interface

  // The first that the thread does which reads.
  virtual void begin_reading() {}
  // Hands `events`, whole ones as they were read, to mark() and its kin.
  virtual void take(std::span<const char> events) REQUIRES(mutex_) = 0;
  // There are some that nobody wants any more.
  virtual void end_soon() EXCLUDES(adding_, mutex_) { (void)end_unwanted(); }
  // Ends the watches, of which nobody wants anything.
  virtual void end_watches(const std::vector<WatchId>& watches) REQUIRES(adding_)
      EXCLUDES(mutex_) = 0;

  // `call()` asks the kernel for a watch and returns an errno, 0 if it has one; `enter()`, under
  // mutex_, returns its id.
  template <typename Call, typename Enter>
  Result<Watcher::Added> add(WatcherNumber watcher, uint32_t mask, const char* what, Call&& call,
                             Enter&& enter) EXCLUDES(adding_, mutex_) {
    for (;;) {
      const uint64_t ended = ended_;
      {
        SharedLock adding(adding_);
        const int error = call();
        if (error == 0) {
          // By each thread of a scan, once for each directory.
          MutexLock lock(mutex_, MutexLock::Spinning());
          const WatchId id = enter();
          if (id != kNoWatch) watches_.add(id, watcher, mask);
          return Watcher::Added{id, id == kNoWatch};
        }
        if (error != ENOSPC) return error_from_errno(error, what);
      }
      // Those that nobody wants any more are no part of the limit.
      (void)end_unwanted();
      if (ended_ == ended) return Watcher::Added{kNoWatch, true};
    }
  }

  // For those who want one of the events in `mask` of that watch.
  void mark(WatchId watch, std::string_view name, NameMark mark, uint32_t mask) REQUIRES(mutex_);
  // For all of the watch's watchers; its file system is gone.
  void lose_file_system(WatchId watch) REQUIRES(mutex_);
  void mark_overflow() REQUIRES(mutex_) {
    desync_all(reasons_.overflowed, PendingChanges::Lost::kEvents);
  }
  void desync_all(const char* reason, PendingChanges::Lost lost) REQUIRES(mutex_);
  // So that whoever has news is woken, and what nobody wants is ended.
  void call_reader();

  int descriptor() const { return queue_.get(); }

  // Shared from before the kernel gives a watch until it is entered; held alone while watches are
  // ended. So none is ended that the kernel has just given to somebody else.
  SharedMutex adding_;  // before mutex_
  Mutex mutex_;
  WatchTable watches_ GUARDED_BY(mutex_);

 private:
  struct Registered {
    PendingChanges* pending;
    std::function<void()> wake;
    bool has_news = false;
  };

  void read_loop();
  bool has_unwanted() EXCLUDES(mutex_);
  // A slice of unwanted_. False where there are none.
  bool end_unwanted() EXCLUDES(adding_, mutex_);
  void read_queued() REQUIRES(read_mutex_) EXCLUDES(mutex_);
  void mark_ready(WatcherNumber number, Registered& watcher) REQUIRES(mutex_);
  void wake_all_but(WatcherNumber client) REQUIRES(read_mutex_) EXCLUDES(mutex_);

  // Constant after construction.
  const UniqueFd queue_;
  const UniqueFd call_;  // an eventfd(2): something else than events waits for the reader
  const Reasons reasons_;
  std::atomic<bool> stopped_ = false;

  // Held while events are taken in and watchers are woken.
  Mutex read_mutex_;  // before the others
  alignas(8) std::array<char, 64 * 1024> buffer_ GUARDED_BY(read_mutex_);
  std::atomic<uint64_t> ended_ = 0;  // slices

  std::map<WatcherNumber, Registered> watchers_ GUARDED_BY(mutex_);
  WatcherNumber last_number_ GUARDED_BY(mutex_) = 0;
  std::vector<WatcherNumber> with_news_ GUARDED_BY(mutex_);  // to be woken
  // To be ended, unless somebody has come to want them.
  std::vector<WatchId> unwanted_ GUARDED_BY(mutex_);

  std::thread reader_;
};

// What would help.
Error with_advice(Error error, const char* limit);

}  // namespace resident
