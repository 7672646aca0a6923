// run_work(threads, roots, step): works off a stack of tasks on several threads until none is left.
//
// `step(task, push, worker)` handles one task and may push more; `worker` is 0..threads-1, so that
// each thread can keep results of its own. Last in, first out, which bounds how many directories
// are open at once. With one thread everything runs on the caller's, unless there is a `tick`: then
// the caller's thread only waits and calls it every so often.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"

namespace resident {

template <typename Task>
class WorkStack {
 public:
  void push(Task task) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    tasks_.push_back(std::move(task));
    ready_.notify_one();
  }

  // Takes tasks until the stack is empty and no other thread is in a step that could push more.
  template <typename Step>
  void run(Step& step, unsigned worker) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (;;) {
      while (tasks_.empty() && busy_ > 0) ready_.wait(lock);
      if (tasks_.empty()) {
        done_ = true;
        ready_.notify_all();
        finished_.notify_all();
        return;
      }
      Task task = std::move(tasks_.back());
      tasks_.pop_back();
      ++busy_;
      lock.native().unlock();
      step(
          std::move(task), [this](Task more) { push(std::move(more)); }, worker);
      lock.native().lock();
      --busy_;
    }
  }

  // Returns when some run() has found nothing left to do.
  void watch(const std::function<void()>& tick, std::chrono::milliseconds interval)
      EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!done_) {
      if (finished_.wait_for(lock, interval) != std::cv_status::timeout) continue;
      lock.native().unlock();
      tick();
      lock.native().lock();
    }
  }

 private:
  Mutex mutex_;
  ConditionVariable ready_;
  // Apart from ready_: whoever waits for the end must neither use up a worker's wake-up nor be
  // woken by every task.
  ConditionVariable finished_;
  bool done_ GUARDED_BY(mutex_) = false;
  std::vector<Task> tasks_ GUARDED_BY(mutex_);
  unsigned busy_ GUARDED_BY(mutex_) = 0;
};

template <typename Task, typename Step>
void run_work(unsigned threads, std::vector<Task> roots, Step step,
              const std::function<void()>& tick = nullptr) {
  constexpr std::chrono::milliseconds kTickInterval{100};
  WorkStack<Task> stack;
  for (Task& task : roots) stack.push(std::move(task));
  std::vector<std::thread> helpers;
  for (unsigned worker = tick ? 0 : 1; worker < threads; ++worker) {
    helpers.emplace_back([&stack, &step, worker] { stack.run(step, worker); });
  }
  if (tick) {
    stack.watch(tick, kTickInterval);
  } else {
    stack.run(step, 0);
  }
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace resident
