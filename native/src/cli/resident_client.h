// The client of the process that keeps a worktree's model.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "verbs/changes_question.h"
#include "verbs/prompt_question.h"
#include "verbs/status_question.h"

namespace resident {

// `root` is the real path of the worktree. The call fills in the facts about git in the question.
// Fails with kNotFound if no process keeps the worktree. The reply is never kVersion.
Result<StatusReply> ask_resident(const std::string& root, StatusQuestion question);
Result<ChangesReply> ask_resident(const std::string& root, const ChangesQuestion& question);
// The same, with a timeout: fails with kIo after `patience`.
Result<PromptReply> ask_resident(const std::string& root, PromptQuestion question,
                                 std::chrono::milliseconds patience);

}  // namespace resident
