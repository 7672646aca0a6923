// The renames that git status finds: in the staged changes, and in the worktree for files to be
// added.
//
// Threads: the model's owner.
#pragma once

#include <vector>

#include "diff/path_change.h"
#include "model/model_view.h"
#include "status/status.h"

namespace resident {

// Returns `changes` with renames paired, as `query` and config ask. Sets `git_warns` if git would
// write to standard error during the search.
Result<std::vector<PathChange>> with_renames(const ModelView& view, std::vector<PathChange> changes,
                                             std::span<const UnmergedPath> unmerged,
                                             const StatusQuery& query, bool& git_warns);

}  // namespace resident
