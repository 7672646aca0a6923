// Asks the process that keeps a worktree's model.
#pragma once

#include "base/result.h"
#include "worktree/repository.h"
#include "worktree/status.h"

namespace resident {

// kNotFound: no process keeps this worktree.
Result<StatusResult> ask_resident(const Repository& repository, const StatusQuery& query);

}  // namespace resident
