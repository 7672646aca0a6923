// Executor: the worker threads of this process. Each owner of work runs one turn at a time.
//
// An owner gets a turn after request(), or at the time that its last turn returned. Owners run in
// the order in which they became ready. The executor has as many workers as cores. While a worker
// only waits (Waiting), another one replaces it, up to a limit.
//
// Threads: any. Only one worker at a time calls an owner's turn(). A turn sees every write of the
// owner's previous turn.
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
    // Does some work. Returns when the next turn is due without a request; time_point::max():
    // never.
    virtual Clock::time_point turn() = 0;
  };

  explicit Executor(unsigned workers);
  // The executor of this process, with one worker per core.
  static std::shared_ptr<Executor> of_process();
  // All owners must have been removed.
  ~Executor();

  void add(Owner& owner) EXCLUDES(mutex_);
  // Waits until a running turn ends; no other turn follows. Never call it from a turn.
  void remove(Owner& owner) EXCLUDES(mutex_);
  // Asks for a turn. If a turn is running, another one follows it.
  void request(Owner& owner) EXCLUDES(mutex_);
  // Guarantees one worker thread, so that all turns run, at worst one by one. More workers start on
  // demand.
  Result<void> ensure_worker() EXCLUDES(mutex_);

  enum class WaitsFor : uint8_t {
    kThreads,  // threads that the turn started, which do the work
    kProgram,
  };
  // Marks this thread's turn as waiting during the scope, so that another worker can replace it
  // (TurnContext). Outside of a turn it has no effect.
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
    bool ready = false;    // is in ready_
    bool running = false;  // its turn is running
    bool again = false;    // was requested during its turn
    bool removed = false;  // gets no further turn
    Clock::time_point due = Clock::time_point::max();
  };

  void work() EXCLUDES(mutex_);
  void make_ready(Owner& owner, State& state) REQUIRES(mutex_);
  void set_due(Owner& owner, State& state, Clock::time_point due) REQUIRES(mutex_);
  void claim_due() REQUIRES(mutex_);
  // Wakes or adds a worker if an owner is ready, or is due before any idle worker wakes.
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
  // The earliest time to retry a failed thread start.
  Clock::time_point more_workers_at_ GUARDED_BY(mutex_);
  // The time at which each idle worker wakes without a call.
  std::multiset<Clock::time_point> idle_until_ GUARDED_BY(mutex_);
  size_t waiting_for_threads_ GUARDED_BY(mutex_) = 0;
  size_t waiting_for_programs_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::map<std::thread::id, std::thread> threads_ GUARDED_BY(mutex_);
  std::vector<std::thread> ended_ GUARDED_BY(mutex_);  // to be joined
};

}  // namespace resident
