// One question, one look at the disk, nothing kept.
#pragma once

#include "base/result.h"
#include "config/config.h"
#include "worktree/repository.h"
#include "worktree/status.h"

namespace resident {

// `config` is what Config::load has just said for the repository. kUnsupported: only git can
// answer.
Result<StatusResult> scan_status(const Repository& repository, const Config& config,
                                 const StatusQuery& query);

}  // namespace resident
