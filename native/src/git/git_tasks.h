// GitTasks: what one owner has asked git in the background, and the answers that came.
//
// Answers are handed over in deliver(), on the owner's thread; `wake` says that there is one. An
// owner keeps few programs busy at once, the rest waits for its turn. Without a runner a program is
// run in deliver() itself: for an owner that has nothing else to do.
//
// Threads: one owner. `wake` is called on any thread, and not after the destructor, which cancels
// what is under way.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/now.h"
#include "git/git_runner.h"

namespace resident {

class GitTasks {
 public:
  // Counts what was asked: an answer is of a later moment than all that happened before its number
  // was given.
  using RequestId = uint64_t;
  using Take = std::function<void(Result<GitOutput>)>;
  using Clock = std::chrono::steady_clock;

  // What is waited for, in words for people ("filter lfs"), and for how many files.
  struct Subject {
    std::string name;
    uint64_t files = 0;
  };
  struct Awaited {
    Subject subject;
    Clock::time_point since;
    std::chrono::system_clock::time_point since_by_wall_clock;
  };

  GitTasks(std::shared_ptr<GitRunner> runner, std::function<void()> wake, Now now = steady_now());
  ~GitTasks();
  GitTasks(const GitTasks&) = delete;
  GitTasks& operator=(const GitTasks&) = delete;

  bool runs_in_place() const { return !runner_; }

  RequestId start(GitCommand command, Subject subject, Take take);
  // Its `take` is not called any more.
  void cancel(RequestId task);
  // The number that the next start() gives.
  RequestId next() const { return last_ + 1; }

  // Calls `take` of those that have an answer; it may start others. True where there was one.
  bool deliver();

  bool empty() const { return tasks_.empty(); }
  // That for which the owner has waited longest.
  std::optional<Awaited> longest_awaited() const;

 private:
  struct Task {
    GitCommand command;  // until it is started
    Subject subject;
    Take take;
    Clock::time_point since;
    std::chrono::system_clock::time_point since_by_wall_clock;
    std::optional<GitRunner::Number> number;  // of the runner, once it is started
  };
  // Shared with what the runner calls.
  class Answers;

  void start_next();

  const std::shared_ptr<GitRunner> runner_;
  const std::shared_ptr<Answers> answers_;
  const Now now_;
  RequestId last_ = 0;
  RequestId first_waiting_ = 1;  // none before it waits to be started
  std::map<RequestId, Task> tasks_;
  size_t started_ = 0;  // of them
};

}  // namespace resident
