// Asks the process that keeps a worktree's model.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "verbs/changes_question.h"
#include "verbs/prompt_question.h"
#include "verbs/status_question.h"

namespace resident {

// `root` is the real path of the worktree; what the question says of git is filled in. kNotFound:
// no process keeps the worktree. Never kVersion.
Result<StatusReply> ask_resident(const std::string& root, StatusQuestion question);
Result<ChangesReply> ask_resident(const std::string& root, const ChangesQuestion& question);
// The same, and kIo after `patience`.
Result<PromptReply> ask_resident(const std::string& root, PromptQuestion question,
                                 std::chrono::milliseconds patience);

}  // namespace resident
