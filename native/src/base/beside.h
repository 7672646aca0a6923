// Beside: work on a thread of its own and another processor, while who made it goes on; on the
// caller's, at once, where no thread can be had.
//
// Not thread-safe.
#pragma once

#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "base/leave_processor.h"
#include "base/start_thread.h"

namespace resident {

class Beside {
 public:
  template <typename Work>
  explicit Beside(Work work) {
    auto task = std::make_shared<std::packaged_task<void()>>(std::move(work));
    done_ = task->get_future();
    Result<std::thread> thread = start_thread([task, starter = ::sched_getcpu()] {
      leave_processor(starter);
      (*task)();
    });
    if (thread.ok()) {
      thread_ = std::move(thread).value();
    } else {
      (*task)();
    }
  }
  // Waits for its end.
  ~Beside() {
    if (thread_.joinable()) thread_.join();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Waits for its end, and throws what it has thrown. Once.
  void join() { done_.get(); }

 private:
  std::future<void> done_;
  std::thread thread_;
};

}  // namespace resident
