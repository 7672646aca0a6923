// The branch header of `git status`: where HEAD is, its upstream, how far the two have diverged;
// and the number of stash entries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "history/history.h"
#include "history/upstream.h"
#include "odb/ahead_behind.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"

namespace resident {

// What the answer is made from. All must outlive the calls that they are given to.
struct BranchSources {
  RefStore& refs;
  ObjectDatabase& objects;
  FileSystem& fs;
  // Absolute; the directory with `shallow`.
  std::string common_dir;
  ConfigLookup config;
};

// `head` is what refs.head() said. With `ahead_behind` false the two commits are compared, not
// counted. An upstream that does not lead to a commit is gone, as for git. kUnsupported where only
// git can tell: see upstream_of_branch(), and grafts, which change what history is and make git say
// so.
Result<BranchStatus> read_branch_status(const Head& head, const BranchSources& sources,
                                        bool ahead_behind);

// How far the commit `ours` is from `ref`; nullopt where there is no such ref, or it leads to no
// commit. Errors as for read_branch_status().
Result<std::optional<AheadBehind>> count_from_ref(const ObjectId& ours, const std::string& ref,
                                                  const BranchSources& sources);

// The entries of the stash's reflog, which is how git counts them.
Result<int> count_stash(RefStore& refs);

// The files other than config whose stat decides read_branch_status(), existing or not.
std::vector<std::string> branch_status_files(const Head& head, const BranchSources& sources);

}  // namespace resident
