// One question, one look at the disk, nothing kept.
#pragma once

#include <memory>

#include "base/result.h"
#include "config/config.h"
#include "model/worktree_model.h"
#include "repository/repository.h"
#include "status/status.h"

namespace resident {

// `config` is what Config::load has just said for the repository, `index` is loaded already if it
// is not null. kUnsupported: only git can answer. `model` becomes the source of the answer. To end
// a large one takes time, which the caller can spend after it printed the answer.
//
// `model->said_of_filters()`, where it is set, is git's own answer to the same question as far as
// filters decide it. Its standard error comes before the answer; its exit code, unless 0, is the
// answer. git starts a broken filter once for each file, and is not run a second time for that.
Result<StatusResult> scan_status(const Repository& repository, const Config& config,
                                 const StatusQuery& query, std::unique_ptr<WorktreeModel>& model,
                                 IndexAhead* index = nullptr);

// The same for WorktreeModel::explain() of any number of paths: `model` has looked at everything.
Result<void> scan_to_explain(const Repository& repository, std::unique_ptr<WorktreeModel>& model);

}  // namespace resident
