// PromptAnswers: answers a prompt's request about a directory. The process that keeps the worktree
// answers; without such a process, a model in this process answers.
//
// Threads: one owner.
#pragma once

#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "prompt/prompt_request.h"
#include "prompt/prompt_status.h"
#include "service/prompt_worktree_cache.h"

namespace resident {

class PromptAnswers {
 public:
  explicit PromptAnswers(PromptWorktreeCache& own) : own_(own) {}

  // The root of the worktree that a request names. Fails, for instance with kNotFound, if there is
  // none.
  static Result<std::string> find_root(FileSystem& fs, const PromptRequest& request);

  Result<PromptStatus> answer(const std::string& root, const PromptQuery& query);

 private:
  PromptWorktreeCache& own_;
};

// Asks the process that keeps the worktree. Fails with kNotFound if no process keeps it.
Result<PromptStatus> ask_keeper(const std::string& root, const PromptQuery& query);

}  // namespace resident
