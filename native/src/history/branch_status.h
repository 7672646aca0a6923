// The branch header of `git status`: where HEAD is, its upstream, how far the two have diverged;
// and the number of stash entries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "git/git_rules.h"
#include "history/divergence.h"
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
  GitRules rules;
};

// The branch, and what is left to count of its distance to its upstream.
struct BranchReading {
  BranchStatus status;                     // uncounted as long as there is
  std::unique_ptr<Divergence> divergence;  // null: nothing is left
  // False: the budget is used up. Fails as read_branch_status() does, and is not to be called
  // again then.
  Result<bool> count(const AheadBehindWalk::Budget& budget);
};

// The same as read_branch_status(), but that counting only begins, where it is `to_count`.
// `sources.objects` must outlive what is returned.
Result<BranchReading> read_branch(const Head& head, const BranchSources& sources, bool to_count);

// `head` is what refs.head() said. With `ahead_behind` false the two commits are compared, not
// counted. An upstream that does not lead to a commit is gone, as for git. kUnsupported where only
// git can tell: see upstream_of_branch(), and grafts, which change what history is and make git say
// so.
Result<BranchStatus> read_branch_status(const Head& head, const BranchSources& sources,
                                        bool ahead_behind);

// Begins to count how far the commit `ours` is from `ref`; null where they are the same, where
// there is no such ref, or it leads to no commit. Errors as for read_branch_status().
Result<std::unique_ptr<Divergence>> diverge_from_ref(const ObjectId& ours, const std::string& ref,
                                                     const BranchSources& sources);

// The entries of the stash's reflog, which is how git counts them.
Result<int> count_stash(RefStore& refs);
// The files whose stat decides it, existing or not.
std::vector<std::string> stash_files(RefStore& refs);

// The files other than config whose stat decides read_branch_status(), existing or not.
std::vector<std::string> branch_status_files(const Head& head, const BranchSources& sources);

}  // namespace resident
