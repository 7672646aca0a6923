// PromptAnswers: what a prompt is told of a directory: by the process that keeps its worktree,
// where there is one, else by a model of this process's own.
//
// Threads: one owner.
#pragma once

#include <string>

#include "base/result.h"
#include "prompt/prompt_request.h"
#include "prompt/prompt_status.h"
#include "service/prompt_worktree_cache.h"

namespace resident {

class PromptAnswers {
 public:
  explicit PromptAnswers(PromptWorktreeCache& own) : own_(own) {}

  // The root of the worktree that a request means. kNotFound and its like where it is in none.
  static Result<std::string> find_root(const PromptRequest& request);

  Result<PromptStatus> answer(const std::string& root, const PromptQuery& query);

 private:
  PromptWorktreeCache& own_;
};

// What the process that keeps the worktree says. kNotFound: there is none.
Result<PromptStatus> ask_keeper(const std::string& root, const PromptQuery& query);

}  // namespace resident
