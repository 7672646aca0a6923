#include "napi/job_thread.h"

#include <utility>

namespace resident {

bool JobThread::post(Job job) {
  MutexLock lock(mutex_);
  if (finishing_) return false;
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_one();
  return true;
}

void JobThread::finish() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    finishing_ = true;
    changed_.notify_one();
    std::swap(thread, thread_);
  }
  if (thread.joinable()) thread.join();
}

void JobThread::run() {
  for (;;) {
    Job job;
    {
      MutexLock lock(mutex_);
      while (jobs_.empty() && !finishing_) changed_.wait(lock);
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace resident
