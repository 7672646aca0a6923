// Asks the process that keeps a worktree's model.
#pragma once

#include <string>

#include "base/result.h"
#include "service/status_question.h"

namespace resident {

// `root` is the real path of the worktree; what the question says of git is filled in. kNotFound:
// no process keeps the worktree. Never kVersion.
Result<StatusReply> ask_resident(const std::string& root, StatusQuestion question);

}  // namespace resident
