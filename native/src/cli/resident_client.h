// Asks the process that keeps a worktree's model.
#pragma once

#include <string>

#include "base/result.h"
#include "service/status_question.h"

namespace resident {

// `root` is the real path of the worktree. kNotFound: no process keeps it.
Result<StatusReply> ask_resident(const std::string& root, const StatusQuestion& question);

}  // namespace resident
