// run_work(threads, roots, step): runs tasks from a shared stack on several threads until none is
// left.
//
// `step(task, push, worker)` handles one task and may push more. `worker` is 0..threads-1, so that
// each thread can keep its own results. The last pushed task runs first, which limits the number of
// open directories. A thread keeps the tasks that it pushes. When another thread is idle, it shares
// the older half. With one thread, everything runs on the caller's thread, unless there is a
// `tick`. With a `tick`, the caller's thread only waits and calls it at intervals.
//
// The threads use the caller's TurnContext. An exception of a step or of the tick ends the work.
// run_work() rethrows it after all threads have stopped.
//
// With `reserves`, more threads start when `needed` finds that the tasks wait for something else
// than a processor.
//
// With `fd_tables`, each started thread has its own descriptor table, and runs inside `around`.
// Before another thread may take a task, its current thread passes it to `give_away`. This mode has
// no tick. The caller's thread runs every task that it can, and the others leave its processor to
// it.
//
// If fewer threads can be started, those do the work. If none can, the caller's thread does it, and
// ticks between tasks.
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

#include "base/thread_annotations.h"
#include "os/threads.h"
#include "parallel/executor.h"
#include "parallel/turn_context.h"

namespace resident {

struct Reserves {
  unsigned threads = 0;          // total number of threads with the reserves
  std::function<bool()> needed;  // called now and then, by any worker
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
  // A worker calls `call_reserves` once, when reserves are needed.
  WorkStack(std::vector<Task> roots, std::function<bool()> needs_reserves,
            std::function<void()> call_reserves, std::function<void(Task&)> give_away = nullptr)
      : needs_reserves_(std::move(needs_reserves)),
        call_reserves_(std::move(call_reserves)),
        give_away_(std::move(give_away)),
        tasks_(std::move(roots)) {}

  // Prevents any call of the reserves.
  void forgo_reserves() { called_ = true; }

  // Runs tasks until none is left and no other thread has a task that could push more.
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

  // Calls `tick` at intervals. Returns when a run() has found no work left, or the tick has thrown.
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

  // Call it after every run() has ended.
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

  // Keeps all threads from starting another task.
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
  // Separate from ready_. A thread that waits for the end must not take a worker's wake-up, and
  // must not wake for every task.
  ConditionVariable finished_;
  bool done_ GUARDED_BY(mutex_) = false;
  std::vector<Task> tasks_ GUARDED_BY(mutex_);     // not yet claimed by a thread
  unsigned busy_ GUARDED_BY(mutex_) = 0;           // threads that have tasks
  std::atomic<unsigned> idle_ = 0;                 // threads that wait for a task
  std::exception_ptr failure_ GUARDED_BY(mutex_);  // the first failure
  std::atomic<bool> failed_ = false;
};

// Joins the threads at the end of the scope, also after an exception.
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
    return start_thread([&, worker, starter = current_processor()] {
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
    // The helpers are joined first: after the helpers end, nobody starts more reserves.
    const Joined joins_called(called);
    const Joined joins_helpers(helpers);
    helpers.reserve(threads);
    for (unsigned worker = tick ? 0 : 1; worker < threads; ++worker) {
      Result<std::thread> helper = start(worker);
      if (!helper.ok()) break;
      helpers.push_back(std::move(helper).value());
    }
    if (tick && helpers.empty()) {
      // A reserve could take the tasks of this thread, and then nothing would tick.
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
