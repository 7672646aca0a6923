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
// is not null. kUnsupported: only git can answer. `model` becomes what led to the answer: where
// there are many files it takes a while to take that apart, which can come after the answer is
// given.
Result<StatusResult> scan_status(const Repository& repository, const Config& config,
                                 const StatusQuery& query, std::unique_ptr<WorktreeModel>& model,
                                 IndexAhead* index = nullptr);

// The same for WorktreeModel::explain() of any number of paths: `model` has looked at everything.
Result<void> scan_to_explain(const Repository& repository, std::unique_ptr<WorktreeModel>& model);

}  // namespace resident
