#include "parallel/executor.h"

#include <algorithm>

#include "base/process_wide.h"
#include "os/threads.h"
#include "parallel/turn_context.h"

namespace resident {

namespace {

// Limits of the workers that replace waiting ones. A turn that waits for its threads keeps the
// cores busy, so few replace it. A program may hang for long without using a core.
constexpr size_t kInsteadOfThreads = 2;
constexpr size_t kInsteadOfPrograms = 64;
// Delay before retrying a failed thread start, if there is a worker.
constexpr std::chrono::seconds kWithoutMore(1);

}  // namespace

Executor::Executor(unsigned workers) : cores_(std::max(1u, workers)) {
}

std::shared_ptr<Executor> Executor::of_process() {
  auto made = process_wide<Executor>(
      [] { return Result(std::make_shared<Executor>(std::thread::hardware_concurrency())); });
  return std::move(made).value();
}

Executor::~Executor() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    ready_or_due_.notify_all();
    while (workers_ > 0) turn_ended_.wait(lock);
    threads = std::move(ended_);
  }
  for (std::thread& thread : threads) thread.join();
}

void Executor::add(Owner& owner) {
  MutexLock lock(mutex_);
  owners_[&owner];
}

void Executor::remove(Owner& owner) {
  MutexLock lock(mutex_);
  State& state = owners_.at(&owner);
  state.removed = true;
  set_due(owner, state, Clock::time_point::max());
  if (std::exchange(state.ready, false)) std::erase(ready_, &owner);
  while (state.running) turn_ended_.wait(lock);
  owners_.erase(&owner);
}

void Executor::request(Owner& owner) {
  MutexLock lock(mutex_);
  const auto found = owners_.find(&owner);
  if (found == owners_.end()) return;
  State& state = found->second;
  if (state.running) {
    state.again = true;
  } else {
    make_ready(owner, state);
  }
}

Result<void> Executor::ensure_worker() {
  MutexLock lock(mutex_);
  if (workers_ > 0) return {};
  return add_worker();
}

void Executor::make_ready(Owner& owner, State& state) {
  if (state.removed || std::exchange(state.ready, true)) return;
  ready_.push_back(&owner);
  call_others();
}

void Executor::call_others() {
  if (idle_until_.empty()) {
    if (!ready_.empty() || !due_.empty()) add_worker_if_wanted();
    return;
  }
  const bool is_overslept = !due_.empty() && due_.begin()->first < *idle_until_.begin();
  if (!ready_.empty() || is_overslept) ready_or_due_.notify_one();
}

void Executor::set_due(Owner& owner, State& state, Clock::time_point due) {
  if (state.due != Clock::time_point::max()) due_.erase({state.due, &owner});
  state.due = due;
  if (due != Clock::time_point::max()) due_.emplace(due, &owner);
}

// Makes owners ready whose time has come.
void Executor::claim_due() {
  const Clock::time_point now = Clock::now();
  while (!due_.empty() && due_.begin()->first <= now) {
    Owner& owner = *due_.begin()->second;
    State& state = owners_.at(&owner);
    set_due(owner, state, Clock::time_point::max());
    if (!std::exchange(state.ready, true)) ready_.push_back(&owner);
  }
}

size_t Executor::wanted_workers() const {
  return cores_ + std::min(waiting_for_threads_, kInsteadOfThreads) +
         std::min(waiting_for_programs_, kInsteadOfPrograms);
}

void Executor::add_worker_if_wanted() {
  if (stopped_ || workers_ >= wanted_workers()) return;
  const bool has_other = workers_ > 0;
  if (has_other && Clock::now() < more_workers_at_) return;
  if (!add_worker().ok()) more_workers_at_ = Clock::now() + kWithoutMore;
}

Result<void> Executor::add_worker() {
  RESIDENT_TRY(std::thread thread, start_thread([this] { work(); }));
  ++workers_;
  const std::thread::id id = thread.get_id();
  threads_.emplace(id, std::move(thread));
  return {};
}

// Waits for a ready owner or the next due time.
void Executor::wait(MutexLock& lock) {
  const auto first = due_.empty() ? Clock::time_point::max() : due_.begin()->first;
  const auto until = idle_until_.insert(first);
  if (first == Clock::time_point::max()) {
    ready_or_due_.wait(lock);
  } else {
    (void)ready_or_due_.wait_until(lock, first);
  }
  idle_until_.erase(until);
}

void Executor::work() {
  const TurnScope context({this, {}});
  std::vector<std::thread> ended;
  MutexLock lock(mutex_);
  while (!stopped_ && workers_ <= wanted_workers()) {
    ended.swap(ended_);
    if (!ended.empty()) {
      lock.unlock();
      for (std::thread& thread : ended) thread.join();
      ended.clear();
      lock.lock();
      continue;
    }
    claim_due();
    if (ready_.empty()) {
      wait(lock);
      continue;
    }
    Owner& owner = *ready_.front();
    ready_.pop_front();
    State& state = owners_.at(&owner);
    state.ready = false;
    state.running = true;
    set_due(owner, state, Clock::time_point::max());
    call_others();
    lock.unlock();
    const Clock::time_point due = owner.turn();
    lock.lock();
    state.running = false;
    if (!state.removed) set_due(owner, state, due);
    if (std::exchange(state.again, false)) make_ready(owner, state);
    turn_ended_.notify_all();
  }
  --workers_;
  // Another worker must wait for the next due time.
  ready_or_due_.notify_one();
  const auto own = threads_.find(std::this_thread::get_id());
  ended_.push_back(std::move(own->second));
  threads_.erase(own);
  turn_ended_.notify_all();
}

void Executor::change_waiting(WaitsFor what, int by) {
  MutexLock lock(mutex_);
  size_t& count = what == WaitsFor::kProgram ? waiting_for_programs_ : waiting_for_threads_;
  count += static_cast<size_t>(by);
  call_others();
  if (workers_ > wanted_workers()) ready_or_due_.notify_one();
}

Executor::Waiting::Waiting(WaitsFor what)
    : executor_(TurnContext::current().executor), what_(what) {
  if (executor_) executor_->change_waiting(what_, 1);
}

Executor::Waiting::~Waiting() {
  if (executor_) executor_->change_waiting(what_, -1);
}

size_t Executor::workers() const {
  MutexLock lock(mutex_);
  return workers_;
}

}  // namespace resident
