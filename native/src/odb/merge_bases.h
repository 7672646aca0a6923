// Finds the merge bases of two commits like git (commit-reach.c). The result is exact if dates are
// right, or if all commits are in a commit-graph with corrected dates. Else it has the same errors
// as git's.
#pragma once

#include <vector>

#include "base/result.h"
#include "odb/commit_table.h"

namespace resident {

// Returns the newest base first; bases with equal dates are in git's order. Both commits must be
// parsed. The table's paint must be clear, and is clear afterwards. kUnsupported: with this
// commit-graph, git's result depends on data that this function does not read.
Result<std::vector<CommitTable::Index>> find_merge_bases(CommitTable& commits,
                                                         CommitTable::Index one,
                                                         CommitTable::Index two);

}  // namespace resident
