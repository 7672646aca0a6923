// BackgroundGit: what one model asks git in the background: for which question, when an answer is
// good enough for it, and when git is asked once more.
//
// An answer counts for a question if it was asked for after the question was put. Without a
// question, what may have another answer by now, though nothing tells so, is asked again after a
// second, and a few times only.
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

  // When git was last asked about something.
  struct LastAsked {
    RequestId moment = 0;
    Clock::time_point at{};
    int for_unsettled = 0;  // times in a row, because of files that had not settled
  };
  // The same of what is asked by a task.
  struct Asked : LastAsked {
    RequestId task = 0;   // that asks now; 0: none does
    RequestId heard = 0;  // when that was asked which is known
    bool again = false;   // is to be asked once that has answered
  };

  // What takes longer is given up, and said to be.
  static constexpr std::chrono::minutes kTimeLimit{10};

  // `runner` null: git is run in place. `wake`, on any thread: there is an answer.
  BackgroundGit(std::shared_ptr<GitRunner> runner, std::function<void()> wake, Now now,
                std::string directory)
      : tasks_(std::move(runner), std::move(wake), now),
        now_(std::move(now)),
        directory_(std::move(directory)) {}

  GitTasks& tasks() { return tasks_; }
  const GitTasks& tasks() const { return tasks_; }
  bool runs_in_place() const { return tasks_.runs_in_place(); }
  // git with these arguments, in the directory, which is a worktree's root. It takes no repository
  // above that for the worktree's.
  GitCommand command(std::vector<std::string> arguments) const;
  // Whether git asks a monitor, from now on. Where we answer in its daemon's place, it would start
  // one while we do not.
  void set_asks_monitor(bool asks) { asks_monitor_ = asks; }
  bool asks_monitor() const { return asks_monitor_; }

  // What is called until end_question() is part of a question that was first put at `asked`.
  void begin_question(RequestId asked) { question_ = asked; }
  void end_question() { question_.reset(); }
  const std::optional<RequestId>& question() const { return question_; }
  // What is asked for then or later is good enough for who asks now.
  RequestId since() const { return question_.value_or(tasks_.next()); }

  Clock::time_point now() const { return now_(); }
  void record_answer(Asked& asked) const;
  void record_request(LastAsked& last) const;
  // Git is asked, and what it said before is of before the question.
  bool is_pending(const Asked& asked) const { return asked.task != 0 && asked.heard < since(); }
  // Whether to ask once more, though nothing tells of a change; with files only where that is
  // because of them.
  bool is_to_be_asked_again(const LastAsked& last) const;
  bool is_to_be_asked_again(const LastAsked& last, const FileSet& files) const {
    return !files.is_settled() && is_to_be_asked_again(last);
  }
  // When to do so without a question; nullopt: not at all.
  DueTime due_again(const LastAsked& last) const;
  DueTime due_again(const LastAsked& last, const FileSet& files) const {
    return files.is_settled() ? std::nullopt : due_again(last);
  }

  // kPending.
  static Error pending(const std::string& subject);
  // The earlier of two.
  static DueTime earlier(DueTime a, DueTime b);

 private:
  GitTasks tasks_;
  const Now now_;
  const std::string directory_;
  bool asks_monitor_ = true;
  std::optional<RequestId> question_;
};

}  // namespace resident
