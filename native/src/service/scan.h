// One question, one scan, nothing kept.
#pragma once

#include <memory>

#include "base/result.h"
#include "config/config.h"
#include "fs/file_system.h"
#include "model/worktree_model.h"
#include "repository/repository.h"
#include "status/status.h"

namespace resident {

// `config`: fresh from Config::load for this repository. `model` becomes the source of the answer.
// The caller can destroy a large model after it printed the answer. kUnsupported: only git can
// answer.
//
// `model->freshness().filters().said()`, if set, is git's own answer to the same question, as far
// as filters decide it. Print its standard error before the answer. If its exit code is not 0, that
// code is the answer. Do not run git again only for that: it starts a broken filter once for each
// file.
Result<StatusResult> scan_status(FileSystem& fs, const Repository& repository, const Config& config,
                                 const StatusQuery& query, std::unique_ptr<WorktreeModel>& model);

// Prepares `model` for WorktreeModel::explain() of any number of paths: scans everything.
Result<void> scan_to_explain(FileSystem& fs, const Repository& repository,
                             std::unique_ptr<WorktreeModel>& model);

}  // namespace resident
