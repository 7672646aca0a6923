// PollLog: what the current update has to poll, and when each scope was last polled.
//
// Threads: the model's owner.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "base/now.h"
#include "os/process.h"
#include "tree/tree_poller.h"

namespace resident {

class PollLog {
 public:
  using Clock = std::chrono::steady_clock;
  // When a scope was last polled, for how long, and with how much processor time.
  struct Polled {
    Clock::time_point began = Clock::time_point::min();
    Clock::duration took{};
    Clock::duration cost{};
  };
  struct Start {
    Clock::time_point at;
    std::chrono::nanoseconds cpu;
  };

  explicit PollLog(Now now) : now_(std::move(now)) {}

  // Until end_question(), an update polls everything, unless a full poll began since `asked_at`.
  void begin_question(Clock::time_point asked_at) { asked_at_ = asked_at; }
  void end_question() { asked_at_.reset(); }
  // `scope`: what to poll in this update; a question decides that itself.
  void begin_update(PollScope scope) {
    if (asked_at_) {
      const bool is_known = everything_.began >= *asked_at_;
      scope = is_known ? PollScope::kNothing : PollScope::kEverything;
    }
    wanted_ = scope;
  }
  PollScope consume_wanted() { return std::exchange(wanted_, PollScope::kNothing); }

  Start start() const { return {now_(), process_cpu_time()}; }
  // A wider scope covers the narrower ones.
  void record(PollScope scope, const Start& start) {
    const Polled polled{start.at, now_() - start.at, process_cpu_time() - start.cpu};
    if (scope == PollScope::kEverything) everything_ = polled;
    if (scope == PollScope::kNames) names_ = polled;
    if (scope == PollScope::kRecent) recent_ = polled;
    recent_.began = start.at;
    if (scope != PollScope::kRecent) names_.began = start.at;
  }
  const Polled& everything() const { return everything_; }
  const Polled& names() const { return names_; }
  const Polled& recent() const { return recent_; }

 private:
  const Now now_;
  std::optional<Clock::time_point> asked_at_;  // for the current question
  PollScope wanted_ = PollScope::kNothing;     // for the current update
  Polled everything_;
  Polled names_;
  Polled recent_;
};

}  // namespace resident
