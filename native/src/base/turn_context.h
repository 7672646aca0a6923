// TurnContext: what the work on this thread is part of. Whoever starts threads that help with the
// work passes it on.
#pragma once

#include <stop_token>
#include <utility>

namespace resident {

class Executor;

struct TurnContext {
  Executor* executor = nullptr;  // that gave the turn; null outside of one
  std::stop_token stop;          // requested once nobody wants the work any more

  // This thread's.
  static TurnContext& current() {
    thread_local TurnContext context;
    return context;
  }
};

// Gives this thread another context for as long as it lives.
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
