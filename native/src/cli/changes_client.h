// Asks the process that keeps a worktree what changed there.
#pragma once

#include <string>

#include "base/result.h"
#include "service/changes_question.h"

namespace resident {

// `root` is the real path of the worktree. kNotFound: no process keeps it.
Result<ChangesReply> ask_changes(const std::string& root, const ChangesQuestion& question);

}  // namespace resident
