#include "git/git_tasks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"

namespace resident {

namespace {

// Limit for each owner.
constexpr size_t kMaxAtOnce = 4;

}  // namespace

class GitTasks::Answers {
 public:
  struct Answer {
    RequestId task;
    Result<GitOutput> output;
  };

  explicit Answers(std::function<void()> wake) : wake_(std::move(wake)) {}

  void put(RequestId task, Result<GitOutput> output) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (closed_) return;
    answers_.push_back({task, std::move(output)});
    if (wake_) wake_();
  }
  std::vector<Answer> take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return std::exchange(answers_, {});
  }
  void close() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    closed_ = true;
  }

 private:
  const std::function<void()> wake_;
  Mutex mutex_;
  std::vector<Answer> answers_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

GitTasks::GitTasks(std::shared_ptr<GitRunner> runner, std::function<void()> wake, Now now)
    : runner_(std::move(runner)),
      answers_(std::make_shared<Answers>(std::move(wake))),
      now_(std::move(now)) {
}

GitTasks::~GitTasks() {
  answers_->close();
  for (const auto& [request, task] : tasks_) {
    if (task.number) runner_->cancel(*task.number);
  }
}

GitTasks::RequestId GitTasks::start(GitCommand command, Subject subject, Take take) {
  const RequestId task = ++last_;
  tasks_.emplace(task, Task{std::move(command),
                            std::move(subject),
                            std::move(take),
                            now_(),
                            std::chrono::system_clock::now(),
                            {}});
  start_next();
  return task;
}

void GitTasks::start_next() {
  if (!runner_) return;
  for (auto at = tasks_.lower_bound(first_waiting_); at != tasks_.end() && started_ < kMaxAtOnce;
       ++at) {
    Task& task = at->second;
    first_waiting_ = at->first + 1;
    ++started_;
    task.number =
        runner_->start(std::move(task.command),
                       [answers = answers_, request = at->first](Result<GitOutput> output) {
                         answers->put(request, std::move(output));
                       });
  }
}

void GitTasks::cancel(RequestId task) {
  const auto found = tasks_.find(task);
  if (found == tasks_.end()) return;
  if (found->second.number) {
    runner_->cancel(*found->second.number);
    --started_;
  }
  tasks_.erase(found);
  start_next();
}

bool GitTasks::deliver() {
  bool delivered = false;
  if (!runner_) {
    while (!tasks_.empty()) {
      const Task task = std::move(tasks_.extract(tasks_.begin()).mapped());
      task.take(run_git(task.command));
      delivered = true;
    }
    return delivered;
  }
  for (Answers::Answer& answer : answers_->take()) {
    auto task = tasks_.extract(answer.task);
    if (task.empty()) continue;  // cancelled meanwhile
    --started_;
    task.mapped().take(std::move(answer.output));
    delivered = true;
  }
  start_next();
  return delivered;
}

std::optional<GitTasks::Awaited> GitTasks::longest_awaited() const {
  if (tasks_.empty()) return std::nullopt;
  const Task& first = tasks_.begin()->second;
  Awaited awaited{first.subject, first.since, first.since_by_wall_clock};
  // Sum the files of all tasks with this name: the user waits for them as one.
  awaited.subject.files = 0;
  for (const auto& [request, task] : tasks_) {
    if (task.subject.name == first.subject.name) awaited.subject.files += task.subject.files;
  }
  return awaited;
}

}  // namespace resident
