// Beside runs work on a new thread, on another processor, while its creator continues. If no thread
// can be started, the constructor runs the work itself.
//
// Not thread-safe.
#pragma once

#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "os/threads.h"

namespace resident {

class Beside {
 public:
  template <typename Work>
  explicit Beside(Work work) {
    auto task = std::make_shared<std::packaged_task<void()>>(std::move(work));
    done_ = task->get_future();
    Result<std::thread> thread = start_thread([task, starter = current_processor()] {
      leave_processor(starter);
      (*task)();
    });
    if (thread.ok()) {
      thread_ = std::move(thread).value();
    } else {
      (*task)();
    }
  }
  // Waits until the work ends.
  ~Beside() {
    if (thread_.joinable()) thread_.join();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Waits until the work ends, and rethrows its exception. Call it once.
  void join() { done_.get(); }

 private:
  std::future<void> done_;
  std::thread thread_;
};

}  // namespace resident
