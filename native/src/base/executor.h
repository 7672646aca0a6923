// Executor: the workers of this process, and one turn at a time for each owner of work.
//
// An owner is asked for its turn when it was requested, or when the time has come that its last
// turn named. Owners take turns in the order in which they were ready. There are as many workers as
// cores; while some of them only wait (Waiting), others work in their place, up to a bound.
//
// Threads: any. turn() is called by one worker at a time, with everything that the turn before did
// visible to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"

namespace resident {

class Executor {
 public:
  using Clock = std::chrono::steady_clock;

  class Owner {
   public:
    virtual ~Owner() = default;
    // Some work. Returns when the next turn is due without a request; time_point::max(): never.
    virtual Clock::time_point turn() = 0;
  };

  explicit Executor(unsigned workers);
  // As many workers as cores.
  static std::shared_ptr<Executor> of_process();
  // There are no owners any more.
  ~Executor();

  void add(Owner& owner) EXCLUDES(mutex_);
  // Waits for the end of a turn that is under way; none follows. Not from a turn.
  void remove(Owner& owner) EXCLUDES(mutex_);
  // Asks for a turn. One that is under way is followed by another.
  void request(Owner& owner) EXCLUDES(mutex_);
  // There is a worker from here on, so that every turn comes, if one after another: further ones
  // are started where they can be had.
  Result<void> ensure_worker() EXCLUDES(mutex_);

  enum class WaitsFor : uint8_t {
    kThreads,  // of its own, which do the work
    kProgram,
  };
  // While it lives, the turn that this thread works for waits, so that another worker may take its
  // place (TurnContext). Outside of turns it does nothing.
  class Waiting {
   public:
    explicit Waiting(WaitsFor what);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Executor* const executor_;
    const WaitsFor what_;
  };

  // For tests.
  size_t workers() const EXCLUDES(mutex_);

 private:
  struct State {
    bool ready = false;    // in ready_
    bool running = false;  // its turn is under way
    bool again = false;    // requested meanwhile
    bool removed = false;  // no turn follows
    Clock::time_point due = Clock::time_point::max();
  };

  void work() EXCLUDES(mutex_);
  void make_ready(Owner& owner, State& state) REQUIRES(mutex_);
  void set_due(Owner& owner, State& state, Clock::time_point due) REQUIRES(mutex_);
  void claim_due() REQUIRES(mutex_);
  // Sees to it that what is ready, or will be due, does not wait for those at work.
  void call_others() REQUIRES(mutex_);
  size_t wanted_workers() const REQUIRES(mutex_);
  void add_worker_if_wanted() REQUIRES(mutex_);
  Result<void> add_worker() REQUIRES(mutex_);
  void wait(MutexLock& lock) REQUIRES(mutex_);
  void change_waiting(WaitsFor what, int by) EXCLUDES(mutex_);

  const unsigned cores_;

  mutable Mutex mutex_;
  ConditionVariable ready_or_due_;
  ConditionVariable turn_ended_;
  std::map<Owner*, State> owners_ GUARDED_BY(mutex_);
  std::deque<Owner*> ready_ GUARDED_BY(mutex_);
  std::set<std::pair<Clock::time_point, Owner*>> due_ GUARDED_BY(mutex_);
  size_t workers_ GUARDED_BY(mutex_) = 0;
  // Where one more could not be had: when it is tried again.
  Clock::time_point more_workers_at_ GUARDED_BY(mutex_);
  // When each idle worker looks again without being called.
  std::multiset<Clock::time_point> idle_until_ GUARDED_BY(mutex_);
  size_t waiting_for_threads_ GUARDED_BY(mutex_) = 0;
  size_t waiting_for_programs_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::map<std::thread::id, std::thread> threads_ GUARDED_BY(mutex_);
  std::vector<std::thread> ended_ GUARDED_BY(mutex_);  // to be joined
};

}  // namespace resident
