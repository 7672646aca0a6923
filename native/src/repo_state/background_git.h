// BackgroundGit: a model's requests to git in the background. It decides whether an answer is new
// enough for a question, and when to ask git again.
//
// An answer serves a question if git was asked after the question. Some answers can become outdated
// without an event. Without a question, git is asked again after a second, a few times only.
//
// Threads: the model's owner.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git/git_tasks.h"
#include "repo_state/file_set.h"

namespace resident {

class BackgroundGit {
 public:
  using RequestId = GitTasks::RequestId;
  using Clock = GitTasks::Clock;
  using DueTime = std::optional<Clock::time_point>;

  // The last request to git about a subject.
  struct LastAsked {
    RequestId moment = 0;
    Clock::time_point at{};
    int for_unsettled = 0;  // successive requests because of unsettled files
  };
  // The same for a subject that a task asks about.
  struct Asked : LastAsked {
    RequestId task = 0;   // the running task; 0: none
    RequestId heard = 0;  // request id of the known answer
    bool again = false;   // ask again after the running task has answered
  };

  // Slower commands are killed and reported as timed out.
  static constexpr std::chrono::minutes kTimeLimit{10};

  // `runner` null: git runs in place. `wake`, on any thread: an answer has arrived.
  BackgroundGit(std::shared_ptr<GitRunner> runner, std::function<void()> wake, Now now,
                std::string directory)
      : tasks_(std::move(runner), std::move(wake), now),
        now_(std::move(now)),
        directory_(std::move(directory)) {}

  GitTasks& tasks() { return tasks_; }
  const GitTasks& tasks() const { return tasks_; }
  bool runs_in_place() const { return tasks_.runs_in_place(); }
  // Makes a git command with these arguments, in the worktree's root. It does not accept a
  // repository above the root as the worktree's.
  GitCommand command(std::vector<std::string> arguments) const;
  // Sets whether later gits may ask a file system monitor. If we replace git's daemon, git would
  // start a daemon while we do not answer.
  void set_asks_monitor(bool asks) { asks_monitor_ = asks; }
  bool asks_monitor() const { return asks_monitor_; }

  // Calls until end_question() belong to a question that was first asked at `asked`.
  void begin_question(RequestId asked) { question_ = asked; }
  void end_question() { question_.reset(); }
  const std::optional<RequestId>& question() const { return question_; }
  // The oldest request whose answer is new enough for the caller.
  RequestId since() const { return question_.value_or(tasks_.next()); }

  Clock::time_point now() const { return now_(); }
  void record_answer(Asked& asked) const;
  void record_request(LastAsked& last) const;
  // Git is being asked, and its known answer is older than the question.
  bool is_pending(const Asked& asked) const { return asked.task != 0 && asked.heard < since(); }
  // True if git must be asked again although no change is known. With `files`: only if unsettled
  // files are the reason.
  bool is_to_be_asked_again(const LastAsked& last) const;
  bool is_to_be_asked_again(const LastAsked& last, const FileSet& files) const {
    return !files.is_settled() && is_to_be_asked_again(last);
  }
  // The time to ask again without a question; nullopt: never.
  DueTime due_again(const LastAsked& last) const;
  DueTime due_again(const LastAsked& last, const FileSet& files) const {
    return files.is_settled() ? std::nullopt : due_again(last);
  }

  // Makes a kPending error.
  static Error pending(const std::string& subject);
  // Returns the earlier of two times.
  static DueTime earlier(DueTime a, DueTime b);

 private:
  GitTasks tasks_;
  const Now now_;
  const std::string directory_;
  bool asks_monitor_ = true;
  std::optional<RequestId> question_;
};

}  // namespace resident
