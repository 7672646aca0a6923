// GitOutputCache: caches git's outputs until the owner reports a change.
//
// The owner calls forget() before its first question after a change. Then git runs once for each
// question and change, and never again for the same question. The cache has a limit in bytes.
// Beyond it, the oldest outputs are dropped and asked again.
//
// Git runs in the background: the caller repeats a question until the output has arrived. During
// continuous changes, an output answers each question that is older than its run of git.
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
  // Computes the part of git's standard output that is kept, when the rest is not needed.
  using Digest = std::string (*)(std::string_view out);

  // `byte_limit`: for questions and outputs together. `tasks` must outlive this object.
  explicit GitOutputCache(GitTasks& tasks, size_t byte_limit = size_t{64} << 20)
      : tasks_(tasks), byte_limit_(byte_limit) {}
  ~GitOutputCache();

  // Returns git's output for the command, from a run that began at `since` or later. kPending: the
  // run has not ended. Every exit code is cached; an Error is not.
  // - `subject`: text for users
  // - `digest`: the same for each call with a command; null: keeps all output
  Result<GitOutput> ask(const GitCommand& command, const GitTasks::Subject& subject,
                        RequestId since, Digest digest = nullptr);
  // Returns the command's last output, even an outdated one, if its run began after `after`. Null:
  // none. Valid until the next call.
  const Result<GitOutput>* last_said(const GitCommand& command, RequestId after);
  // Marks all outputs as outdated after a change. They still answer earlier questions.
  void forget();
  // Drops outdated outputs. Call it when no earlier question is waiting.
  void drop_forgotten();
  // The number of git runs.
  uint64_t runs() const { return runs_; }

 private:
  struct Kept {
    std::string question;
    RequestId task = 0;   // the running task; 0: none
    RequestId asked = 0;  // request id of the output; 0: no output
    bool is_current = false;
    bool changed_meanwhile = false;  // since `task` started
    Result<GitOutput> output = GitOutput();

    size_t size() const;
  };

  void take(const std::string& question, Result<GitOutput> output);
  void make_room(const Kept& for_this);

  GitTasks& tasks_;
  const size_t byte_limit_;
  uint64_t runs_ = 0;
  std::list<Kept> kept_;  // oldest first
};

}  // namespace resident
