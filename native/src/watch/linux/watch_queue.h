// WatchQueue: the common part of the event queues InotifyQueue, FanotifyQueue and DirectoryHints. A
// process has one queue of each kind for all of its watchers. WatchQueue manages the watchers'
// interests and wake-ups, the reader thread, and the end of watches.
//
// A directory that several watchers want has one watch, and each watcher gets the events that it
// requested. The queue's own thread reads the kernel's queue as soon as an event arrives. The
// kernel's queue holds 16,384 events by default, and a slow reader would let it overflow.
//
// It is exact: read() reads all events that the kernel has queued, for all watchers. It never waits
// for the reader thread to do so.
//
// No lock is held during the system call that adds a watch. The threads of a scan thus never wait
// for each other in this call. An event can therefore be read before its watch is entered, and is
// then dropped. No change is lost: the caller reads the directory after it was added.
//
// The reader thread also ends the watches of a removed watcher, slice by slice. A worktree has a
// watch for each directory, and its end must not wait for all of them. At most the watches of one
// watcher are left over in this way.
//
// Threads: any. A derived class calls stop() at the start of its destructor, while all of its
// members exist.
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
#include "os/posix/shared_mutex.h"
#include "os/unique_fd.h"
#include "watch/pending_changes.h"
#include "watch/watch_table.h"

namespace resident {

class WatchQueue {
 public:
  using WatcherNumber = WatchTable::WatcherNumber;

  WatchQueue(const WatchQueue&) = delete;
  WatchQueue& operator=(const WatchQueue&) = delete;
  virtual ~WatchQueue() = default;

  // Events go to `pending`, then `wake` is called. It runs on the queue's thread or on any reading
  // thread, and must not block. Both parameters must outlive the registration.
  WatcherNumber add_watcher(PendingChanges& pending, std::function<void()> wake)
      EXCLUDES(mutex_, read_mutex_);
  // After it returns, `wake` is not called and `pending` is not written.
  void remove_watcher(WatcherNumber watcher) EXCLUDES(adding_, mutex_, read_mutex_);

  void remove_watch(WatcherNumber watcher, WatchId id) EXCLUDES(adding_, mutex_);

  // Reads all queued events. The watcher `client` reads its own changes itself, and is not woken.
  void read(WatcherNumber client) EXCLUDES(mutex_, read_mutex_);

 protected:
  // The reasons given to watchers when events are lost.
  struct Reasons {
    const char* overflowed;
    const char* not_read;
    const char* not_polled;
  };

  WatchQueue(UniqueFd queue, const Reasons& reasons);
  // Starts to read. Fails if no thread or no descriptor can be had.
  Result<void> start();
  void stop();

  // --- For the kernel's interface

  // Called first on the reader thread.
  virtual void begin_reading() {}
  // Passes `events` to mark() and similar functions. They are complete events, as read.
  virtual void take(std::span<const char> events) REQUIRES(mutex_) = 0;
  // Called when there are unwanted watches.
  virtual void end_soon() EXCLUDES(adding_, mutex_) { (void)end_unwanted(); }
  // Ends these watches, which nobody wants.
  virtual void end_watches(const std::vector<WatchId>& watches) REQUIRES(adding_)
      EXCLUDES(mutex_) = 0;

  // `call()` asks the kernel for a watch, and returns an errno or 0. `enter()` returns the watch's
  // id; it runs under mutex_.
  template <typename Call, typename Enter>
  Result<Watcher::Added> add(WatcherNumber watcher, uint32_t mask, const char* what, Call&& call,
                             Enter&& enter) EXCLUDES(adding_, mutex_) {
    for (;;) {
      const uint64_t ended = ended_;
      {
        SharedLock adding(adding_);
        const int error = call();
        if (error == 0) {
          // Each thread of a scan locks it, once for each directory.
          MutexLock lock(mutex_, MutexLock::Spinning());
          const WatchId id = enter();
          if (id != kNoWatch) watches_.add(id, watcher, mask);
          return Watcher::Added{id, id == kNoWatch};
        }
        if (error != ENOSPC) return error_from_errno(error, what);
      }
      // Unwanted watches must not count for the limit: end them and try again.
      (void)end_unwanted();
      if (ended_ == ended) return Watcher::Added{kNoWatch, true};
    }
  }

  // Marks the name for each watcher that wants one of the events in `mask` from this watch.
  void mark(WatchId watch, std::string_view name, NameMark mark, uint32_t mask) REQUIRES(mutex_);
  // Desyncs all watchers of the watch, because its file system is gone.
  void lose_file_system(WatchId watch) REQUIRES(mutex_);
  void mark_overflow() REQUIRES(mutex_) {
    desync_all(reasons_.overflowed, PendingChanges::Lost::kEvents);
  }
  void desync_all(const char* reason, PendingChanges::Lost lost) REQUIRES(mutex_);
  // Wakes the reader thread, so that it wakes watchers with news and ends unwanted watches.
  void call_reader();

  int descriptor() const { return queue_.get(); }

  // Shared from before the kernel returns a watch until the watch is entered. Exclusive while
  // watches are ended. A watch that the kernel has just given to another caller is therefore never
  // ended.
  SharedMutex adding_;  // locked before mutex_
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
  // Ends a slice of unwanted_. False: nothing was unwanted.
  bool end_unwanted() EXCLUDES(adding_, mutex_);
  void read_queued() REQUIRES(read_mutex_) EXCLUDES(mutex_);
  void mark_ready(WatcherNumber number, Registered& watcher) REQUIRES(mutex_);
  void wake_all_but(WatcherNumber client) REQUIRES(read_mutex_) EXCLUDES(mutex_);

  // Constant after construction.
  const UniqueFd queue_;
  const UniqueFd call_;  // an eventfd(2) for calls to the reader, other than events
  const Reasons reasons_;
  std::atomic<bool> stopped_ = false;

  // Held while events are read and watchers are woken.
  Mutex read_mutex_;  // locked before the others
  alignas(8) std::array<char, 64 * 1024> buffer_ GUARDED_BY(read_mutex_);
  std::atomic<uint64_t> ended_ = 0;  // number of ended slices

  std::map<WatcherNumber, Registered> watchers_ GUARDED_BY(mutex_);
  WatcherNumber last_number_ GUARDED_BY(mutex_) = 0;
  std::vector<WatcherNumber> with_news_ GUARDED_BY(mutex_);  // watchers to wake
  // Watches to end, unless a watcher wants them again.
  std::vector<WatchId> unwanted_ GUARDED_BY(mutex_);

  std::thread reader_;
};

// Adds advice to an error: the limit to raise.
Error with_advice(Error error, const char* limit);

}  // namespace resident
