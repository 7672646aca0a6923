// JobThread: runs jobs one after another on a thread of its own, which the first job starts.
//
// Threads: post() from any thread; finish() and the destructor from any thread but the job thread.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "base/thread_annotations.h"

namespace resident {

class JobThread {
 public:
  using Job = std::function<void()>;

  JobThread() = default;
  ~JobThread() { finish(); }
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // False, and the job is dropped, after finish() was called.
  bool post(Job job) EXCLUDES(mutex_);

  // Waits until all that was posted has run. Again without effect.
  void finish() EXCLUDES(mutex_);

 private:
  void run() EXCLUDES(mutex_);

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
  bool finishing_ GUARDED_BY(mutex_) = false;
  std::thread thread_ GUARDED_BY(mutex_);
};

}  // namespace resident
