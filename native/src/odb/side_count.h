// Counts the commits on each side with git's own limited walk (revision.c, limit_list). It goes by
// dates, with slack against wrong dates, and gives git's result even if that result is wrong.
#pragma once

#include <vector>

#include "base/result.h"
#include "odb/ahead_behind.h"
#include "odb/commit_table.h"

namespace resident {

// `bases` are the merge bases, in git's order. All given commits must be parsed. The table's paint
// must be clear before; it is not clear afterwards.
Result<AheadBehind> count_sides(CommitTable& commits, CommitTable::Index ours,
                                CommitTable::Index theirs,
                                const std::vector<CommitTable::Index>& bases);

}  // namespace resident
