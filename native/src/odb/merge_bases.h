// The merge bases of two commits as git finds them (commit-reach.c): exact where dates can be
// trusted, or all commits are in a commit-graph with corrected dates; elsewhere what git finds.
#pragma once

#include <vector>

#include "base/result.h"
#include "odb/commit_table.h"

namespace resident {

// Newest first; of equally old ones, in the order in which git has them. Both commits are parsed.
// The table's paint is clear before and after. kUnsupported where there is a commit-graph and what
// git finds depends on more than is looked at here.
Result<std::vector<CommitTable::Index>> find_merge_bases(CommitTable& commits,
                                                         CommitTable::Index one,
                                                         CommitTable::Index two);

}  // namespace resident
