// JobQueue: runs jobs in sequence on the workers of the process.
//
// Threads: post() from any thread. finish() and the destructor from any thread, but not in a job of
// this queue.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "parallel/executor.h"

namespace resident {

class JobQueue final : private Executor::Owner {
 public:
  using Job = std::function<void()>;

  JobQueue();
  ~JobQueue() override;
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Guarantees a worker thread for this queue.
  Result<void> ensure_worker() { return executor_->ensure_worker(); }

  // Returns false and drops the job after finish() was called.
  bool post(Job job) EXCLUDES(mutex_);

  // Waits until all posted jobs have run. Further calls have no effect.
  void finish() EXCLUDES(mutex_);

 private:
  Executor::Clock::time_point turn() override EXCLUDES(mutex_);

  const std::shared_ptr<Executor> executor_;
  Mutex mutex_;
  ConditionVariable done_;
  std::deque<Job> jobs_ GUARDED_BY(mutex_);  // the first job may be running
  bool finishing_ GUARDED_BY(mutex_) = false;
};

}  // namespace resident
