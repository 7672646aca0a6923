// GitOutputCache: what git said, kept until the owner knows of a change.
//
// The owner calls forget() before the first question after a change, so that git runs once for each
// question and change, and never for a question that was asked before. What is kept is bounded in
// bytes; beyond the bound the oldest answers are asked again.
//
// git is asked in the background: a question is asked again and again until the answer is there.
// While things go on changing, an answer that was asked for after the question was is one to it.
//
// Threads: one owner.
#pragma once

#include <list>
#include <string>
#include <string_view>

#include "git/git_tasks.h"

namespace resident {

class GitOutputCache {
 public:
  using RequestId = GitTasks::RequestId;
  // What is kept of what git wrote to standard output, where that is all that is wanted of much.
  using Digest = std::string (*)(std::string_view out);

  // `byte_limit`: of questions and outputs together. `tasks` outlives this.
  explicit GitOutputCache(GitTasks& tasks, size_t byte_limit = size_t{64} << 20)
      : tasks_(tasks), byte_limit_(byte_limit) {}
  ~GitOutputCache();

  // What git says to the command, as of `since` or later; kPending while it is asked. Any exit code
  // is kept, an Error is not. `subject`: in words for people. `digest`: always the same one with a
  // command; null: all is kept.
  Result<GitOutput> ask(const GitCommand& command, const GitTasks::Subject& subject,
                        RequestId since, Digest digest = nullptr);
  // The last that was said to the command, if it was asked for after `after`, however old it is by
  // now; null: nothing. Until the next call.
  const Result<GitOutput>* last_said(const GitCommand& command, RequestId after);
  // Something changed. What was said already is for those who asked before.
  void forget();
  // Nobody waits who asked before.
  void drop_forgotten();
  // How often git was run.
  uint64_t runs() const { return runs_; }

 private:
  struct Kept {
    std::string question;
    RequestId task = 0;   // that asks now; 0: none does
    RequestId asked = 0;  // of the output; 0: there is none
    bool is_current = false;
    bool changed_meanwhile = false;  // since `task` was begun
    Result<GitOutput> output = GitOutput();

    size_t size() const;
  };

  void take(const std::string& question, Result<GitOutput> output);
  void make_room(const Kept& for_this);

  GitTasks& tasks_;
  const size_t byte_limit_;
  uint64_t runs_ = 0;
  std::list<Kept> kept_;  // the oldest first
};

}  // namespace resident
