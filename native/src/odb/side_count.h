// Counts commits on two sides by git's own limited walk (revision.c, limit_list): by dates, with
// slack for those that lie, wherever that leads.
#pragma once

#include <vector>

#include "base/result.h"
#include "odb/ahead_behind.h"
#include "odb/commit_table.h"

namespace resident {

// `bases` are the merge bases, in git's order. All of these commits are parsed. The table's paint
// is clear before; it is not after.
Result<AheadBehind> count_sides(CommitTable& commits, CommitTable::Index ours,
                                CommitTable::Index theirs,
                                const std::vector<CommitTable::Index>& bases);

}  // namespace resident
