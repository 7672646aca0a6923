// EventBarrier: whether a late watcher has reported all changes from before a question. Barriers
// follow one another, so a stream of questions delays none of them.
//
// Threads: the model's owner.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/now.h"
#include "base/result.h"
#include "watch/watcher.h"

namespace resident {

class EventBarrier {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `watcher` null: nothing is watched. It outlives this object.
  EventBarrier(Watcher* watcher, Now now) : watcher_(watcher), now_(std::move(now)) {}

  // Call it before each drain(). `asked_at`: the time of the current question, if any. An error:
  // events may be missing for good.
  Result<void> advance(std::optional<Time> asked_at) {
    for (;;) {
      if (!running_ && covers(asked_at)) return {};
      if (!running_) {
        const Time began = now_();
        running_ = Running{began, watcher_->begin_sync()};
      }
      const Result<bool> passed = watcher_->has_synced(running_->barrier);
      if (passed.ok() && !*passed) return {};
      const Time began = std::exchange(running_, std::nullopt)->began;
      if (!passed.ok()) return passed.error();
      record_read(began);
    }
  }
  // After the drain: true if the known state has all changes from before `asked_at`.
  bool covers(std::optional<Time> asked_at) const {
    return !asked_at || !watcher_ || watcher_->is_exact() || *asked_at <= covered_;
  }
  // kPending unless covers(asked_at).
  Result<void> check(std::optional<Time> asked_at) const {
    if (covers(asked_at)) return {};
    return Error{ErrorCode::kPending, "the file system has not reported all changes yet"};
  }
  // All changes from before `at` are known, because everything was read since.
  void record_read(Time at) { covered_ = std::max(covered_, at); }

 private:
  struct Running {
    Time began;
    Watcher::Barrier barrier;
  };

  Watcher* const watcher_;
  const Now now_;
  std::optional<Running> running_;
  Time covered_ = Time::min();
};

}  // namespace resident
