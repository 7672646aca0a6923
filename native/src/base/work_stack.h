// run_work(threads, roots, step): works off a stack of tasks on several threads until none is left.
//
// `step(task, push, worker)` handles one task and may push more; `worker` is 0..threads-1, so that
// each thread can keep results of its own. Last in, first out, which bounds how many directories
// are open at once. A thread keeps what it pushes for itself, and gives the older half away when
// another has nothing to do. With one thread everything runs on the caller's, unless there is a
// `tick`: then the caller's thread only waits and calls it every so often.
//
// The threads work for the caller's TurnContext. What a step or the tick throws ends the work, and
// run_work() throws it once no thread is at work any more.
//
// With `reserves`, more threads come to help once the tasks are found to wait for something else
// than a processor.
//
// With `apart`, threads have what others cannot use: who is started works within `around`, and a
// task goes through `give_away` on the thread that has it before another may take it. There is no
// tick then: the caller's thread works whatever the others can begin with, and they leave it its
// processor.
//
// Where fewer threads can be had, those do the work; without any the caller's does, and ticks
// between tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/leave_processor.h"
#include "base/start_thread.h"
#include "base/thread_annotations.h"
#include "base/turn_context.h"

namespace resident {

struct Reserves {
  unsigned threads = 0;          // so many in all, if they are called
  std::function<bool()> needed;  // asked now and then, by any worker
};

template <typename Task>
struct PrivateFdTable {
  // Calls `work` once, or not at all.
  std::function<void(unsigned worker, const std::function<void()>& work)> around;
  std::function<void(Task&)> give_away;
};

template <typename Task>
class WorkStack {
 public:
  // `call_reserves` is called once, by a worker, when they are needed.
  WorkStack(std::vector<Task> roots, std::function<bool()> needs_reserves,
            std::function<void()> call_reserves, std::function<void(Task&)> give_away = nullptr)
      : needs_reserves_(std::move(needs_reserves)),
        call_reserves_(std::move(call_reserves)),
        give_away_(std::move(give_away)),
        tasks_(std::move(roots)) {}

  // No reserves will be called.
  void forgo_reserves() { called_ = true; }

  // Takes tasks until there are none and no other thread has one that could push more.
  template <typename Step>
  void run(Step& step, unsigned worker) EXCLUDES(mutex_) {
    std::vector<Task> own;
    unsigned tasks = 0;
    MutexLock lock(mutex_);
    for (;;) {
      idle_.fetch_add(1, std::memory_order_relaxed);
      while (tasks_.empty() && busy_ > 0) ready_.wait(lock);
      idle_.fetch_sub(1, std::memory_order_relaxed);
      if (tasks_.empty()) {
        done_ = true;
        ready_.notify_all();
        finished_.notify_all();
        return;
      }
      Task task = std::move(tasks_.back());
      tasks_.pop_back();
      ++busy_;
      lock.unlock();
      std::exception_ptr failure = nullptr;
      try {
        own.push_back(std::move(task));
        work_off(own, step, worker, tasks);
      } catch (...) {
        failure = std::current_exception();
      }
      own.clear();
      lock.lock();
      --busy_;
      if (failure) fail(std::move(failure));
    }
  }

  // Returns when some run() has found nothing left to do, or the tick has thrown.
  void watch(const std::function<void()>& tick, std::chrono::milliseconds interval)
      EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!done_) {
      if (finished_.wait_for(lock, interval) != std::cv_status::timeout) continue;
      lock.unlock();
      std::exception_ptr failure = nullptr;
      try {
        tick();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) return fail(std::move(failure));
    }
  }

  // After the end of every run().
  void rethrow() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <typename Step>
  void work_off(std::vector<Task>& own, Step& step, unsigned worker, unsigned& tasks)
      EXCLUDES(mutex_) {
    while (!own.empty() && !failed_.load(std::memory_order_relaxed)) {
      if (needs_reserves_ && tasks++ % kTasksPerQuestion == 0 && !called_ && needs_reserves_() &&
          !called_.exchange(true)) {
        call_reserves_();
      }
      Task task = std::move(own.back());
      own.pop_back();
      step(
          std::move(task), [&own](Task more) { own.push_back(std::move(more)); }, worker);
      if (own.size() > 1 && idle_.load(std::memory_order_relaxed) > 0) share_half(own);
    }
  }

  // Nobody begins another task.
  void fail(std::exception_ptr failure) REQUIRES(mutex_) {
    if (!failure_) failure_ = std::move(failure);
    failed_ = true;
    tasks_.clear();
  }

  void share_half(std::vector<Task>& own) EXCLUDES(mutex_) {
    const auto end = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
    if (give_away_) std::for_each(own.begin(), end, give_away_);
    MutexLock lock(mutex_);
    std::move(own.begin(), end, std::back_inserter(tasks_));
    own.erase(own.begin(), end);
    ready_.notify_all();
  }

  static constexpr unsigned kTasksPerQuestion = 16;

  const std::function<bool()> needs_reserves_;
  const std::function<void()> call_reserves_;
  const std::function<void(Task&)> give_away_;
  std::atomic<bool> called_ = false;

  Mutex mutex_;
  ConditionVariable ready_;
  // Apart from ready_: whoever waits for the end must neither use up a worker's wake-up nor be
  // woken by every task.
  ConditionVariable finished_;
  bool done_ GUARDED_BY(mutex_) = false;
  std::vector<Task> tasks_ GUARDED_BY(mutex_);     // that no thread has
  unsigned busy_ GUARDED_BY(mutex_) = 0;           // threads that have tasks
  std::atomic<unsigned> idle_ = 0;                 // threads that wait for one
  std::exception_ptr failure_ GUARDED_BY(mutex_);  // the first
  std::atomic<bool> failed_ = false;
};

// Joins threads at the end of its scope, however that comes.
class Joined {
 public:
  explicit Joined(std::vector<std::thread>& threads) : threads_(threads) {}
  ~Joined() {
    for (std::thread& thread : threads_) thread.join();
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;

 private:
  std::vector<std::thread>& threads_;
};

template <typename Task, typename Step>
void run_work(unsigned threads, std::vector<Task> roots, Step step,
              const std::function<void()>& tick = nullptr, const Reserves& reserves = {},
              const PrivateFdTable<Task>& fd_tables = {}) {
  constexpr std::chrono::milliseconds kTickInterval{100};
  const TurnContext context = TurnContext::current();
  std::vector<std::thread> helpers;
  std::vector<std::thread> called;
  WorkStack<Task>* all = nullptr;
  const auto start = [&](unsigned worker) {
    return start_thread([&, worker, starter = ::sched_getcpu()] {
      const TurnScope scope(context);
      if (!fd_tables.around) return all->run(step, worker);
      if (worker < threads) leave_processor(starter);
      fd_tables.around(worker, [&] { all->run(step, worker); });
    });
  };
  const auto call_reserves = [&] {
    called.reserve(reserves.threads);
    for (unsigned worker = threads; worker < reserves.threads; ++worker) {
      Result<std::thread> reserve = start(worker);
      if (!reserve.ok()) break;
      called.push_back(std::move(reserve).value());
    }
  };
  WorkStack<Task> stack(std::move(roots), reserves.threads > threads ? reserves.needed : nullptr,
                        call_reserves, fd_tables.give_away);
  all = &stack;
  {
    // The helpers first: nobody calls any more once who is at work has ended.
    const Joined joins_called(called);
    const Joined joins_helpers(helpers);
    helpers.reserve(threads);
    for (unsigned worker = tick ? 0 : 1; worker < threads; ++worker) {
      Result<std::thread> helper = start(worker);
      if (!helper.ok()) break;
      helpers.push_back(std::move(helper).value());
    }
    if (tick && helpers.empty()) {
      // A reserve could leave this thread without a task, and so without a tick.
      stack.forgo_reserves();
      auto ticked = std::chrono::steady_clock::now();
      auto step_and_tick = [&](Task task, auto&& push, unsigned worker) {
        step(std::move(task), push, worker);
        const auto now = std::chrono::steady_clock::now();
        if (now - ticked < kTickInterval) return;
        ticked = now;
        tick();
      };
      stack.run(step_and_tick, 0);
    } else if (tick) {
      const Executor::Waiting waiting(Executor::WaitsFor::kThreads);
      stack.watch(tick, kTickInterval);
    } else {
      stack.run(step, 0);
    }
  }
  stack.rethrow();
}

}  // namespace resident
