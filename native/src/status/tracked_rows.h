// Status lines of tracked paths. A line joins the differences HEAD/index and index/worktree of one
// path.
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

// Whether the file on disk can be the destination of a rename from the index. Its content then
// matters, whatever its state.
bool is_rename_destination(const IndexEntry& entry);

// The change from index to worktree of one entry of stage 0; kNone without a change. `submodule` is
// the state of a gitlink, or null.
PathChange worktree_change(const Index& index, uint32_t position, EntryState state,
                           const SubmoduleState* submodule);

// Builds one line. One of the two changes may be null, but not both.
ChangedEntry changed_entry(const PathChange* staged, const PathChange* worktree,
                           const SubmoduleState* submodule);

// Builds the line of the unmerged path whose first stage is at `position`.
UnmergedEntry unmerged_entry(const Index& index, uint32_t position, EntryState state);

}  // namespace resident
