#include "napi/job_queue.h"

#include <utility>

namespace resident {

JobQueue::JobQueue() : executor_(Executor::of_process()) {
  executor_->add(*this);
}

JobQueue::~JobQueue() {
  finish();
  executor_->remove(*this);
}

bool JobQueue::post(Job job) {
  {
    MutexLock lock(mutex_);
    if (finishing_) return false;
    jobs_.push_back(std::move(job));
  }
  executor_->request(*this);
  return true;
}

void JobQueue::finish() {
  // A caller inside a job of another queue occupies a worker while it waits.
  const Executor::Waiting waiting(Executor::WaitsFor::kProgram);
  MutexLock lock(mutex_);
  finishing_ = true;
  while (!jobs_.empty()) done_.wait(lock);
}

Executor::Clock::time_point JobQueue::turn() {
  Job* job = nullptr;
  {
    MutexLock lock(mutex_);
    if (!jobs_.empty()) job = &jobs_.front();
  }
  if (job) (*job)();
  {
    MutexLock lock(mutex_);
    if (job) jobs_.pop_front();
    if (jobs_.empty()) {
      done_.notify_all();
      return Executor::Clock::time_point::max();
    }
  }
  // Other queues get their turn first.
  executor_->request(*this);
  return Executor::Clock::time_point::max();
}

}  // namespace resident
