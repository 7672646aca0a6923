// The renames that git status finds: in what is staged, and in the worktree of what is to be added.
//
// Threads: the model's owner.
#pragma once

#include <vector>

#include "diff/path_change.h"
#include "model/model_view.h"
#include "status/status.h"

namespace resident {

// The changes, some of them put together as `query` and config ask for it. `git_warns` is set where
// git says something on standard error meanwhile.
Result<std::vector<PathChange>> with_renames(const ModelView& view, std::vector<PathChange> changes,
                                             std::span<const UnmergedPath> unmerged,
                                             const StatusQuery& query, bool& git_warns);

}  // namespace resident
