// TurnContext: the turn to which this thread's work belongs. Code that starts helper threads for
// the work must pass the context on.
#pragma once

#include <stop_token>
#include <utility>

namespace resident {

class Executor;

struct TurnContext {
  Executor* executor = nullptr;  // the executor that runs the turn; null outside of a turn
  std::stop_token stop;          // requested when the work is no longer wanted

  // The calling thread's context.
  static TurnContext& current() {
    thread_local TurnContext context;
    return context;
  }
};

// Replaces this thread's context during the scope.
class TurnScope {
 public:
  explicit TurnScope(TurnContext context)
      : before_(std::exchange(TurnContext::current(), std::move(context))) {}
  ~TurnScope() { TurnContext::current() = std::move(before_); }
  TurnScope(const TurnScope&) = delete;
  TurnScope& operator=(const TurnScope&) = delete;

 private:
  TurnContext before_;
};

}  // namespace resident
