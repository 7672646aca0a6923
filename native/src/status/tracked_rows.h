// The status lines of tracked paths: what HEAD against index and index against worktree say of the
// same path, put together.
//
// Source: git's wt-status.c (wt_status_collect_updated_cb, wt_status_collect_changed_cb,
// wt_porcelain_v2_fix_up_changed).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diff/path_change.h"
#include "index/index.h"
#include "status/entry_state.h"
#include "status/status.h"

namespace resident {

using ChangedRows = std::map<std::string, ChangedEntry>;
using UnmergedRows = std::map<std::string, UnmergedEntry>;

// Whether the file on disk can be the destination of a rename from the index: what is in it decides
// then, whatever its state.
bool is_rename_destination(const IndexEntry& entry);

// The change from the index to the worktree of one entry of stage 0, kNone where there is none.
// `submodule` is of a gitlink, or null.
PathChange worktree_change(const Index& index, uint32_t position, EntryState state,
                           const SubmoduleState* submodule);

// One line. Either may be null, not both.
ChangedEntry changed_entry(const PathChange* staged, const PathChange* worktree,
                           const SubmoduleState* submodule);

// The line of the unmerged path whose first stage is at `position`.
UnmergedEntry unmerged_entry(const Index& index, uint32_t position, EntryState state);

}  // namespace resident
