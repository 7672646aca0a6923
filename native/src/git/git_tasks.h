// GitTasks: an owner's requests to git in the background, and their answers.
//
// The owner receives answers in deliver(), on its own thread. `wake` reports a new answer. Only a
// few programs of an owner run in parallel; the others wait. Without a runner, deliver() itself
// runs the programs: for an owner with no other work.
//
// Threads: one owner. `wake` is called on any thread. The destructor cancels running programs, and
// after it `wake` is not called.
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
  // Counts the requests. An answer reflects everything that happened before its id was given.
  using RequestId = uint64_t;
  using Take = std::function<void(Result<GitOutput>)>;
  using Clock = std::chrono::steady_clock;

  // The awaited program as text for users ("filter lfs"), and the number of files.
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
  // Its `take` is not called afterwards.
  void cancel(RequestId task);
  // The id that the next start() will return.
  RequestId next() const { return last_ + 1; }

  // Calls `take` for each answer that has arrived; `take` may start more tasks. True: an answer was
  // delivered.
  bool deliver();

  bool empty() const { return tasks_.empty(); }
  // The request that has waited longest.
  std::optional<Awaited> longest_awaited() const;

 private:
  struct Task {
    GitCommand command;  // empty once started
    Subject subject;
    Take take;
    Clock::time_point since;
    std::chrono::system_clock::time_point since_by_wall_clock;
    std::optional<GitRunner::Number> number;  // the runner's number; set once started
  };
  // Shared with the runner's callbacks.
  class Answers;

  void start_next();

  const std::shared_ptr<GitRunner> runner_;
  const std::shared_ptr<Answers> answers_;
  const Now now_;
  RequestId last_ = 0;
  RequestId first_waiting_ = 1;  // all tasks before this id are started
  std::map<RequestId, Task> tasks_;
  size_t started_ = 0;  // number of started tasks in tasks_
};

}  // namespace resident
