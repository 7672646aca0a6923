// The branch header of `git status`: HEAD, its upstream, and how far the two have diverged. Also
// the number of stash entries.
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

// Inputs of the functions below. All must outlive the calls that get them.
struct BranchSources {
  RefStore& refs;
  ObjectDatabase& objects;
  FileSystem& fs;
  // The absolute path of the directory with `shallow`.
  std::string common_dir;
  ConfigLookup config;
  GitRules rules;
};

// The branch, and the pending count of its distance to its upstream.
struct BranchReading {
  BranchStatus status;                     // not counted while `divergence` is set
  std::unique_ptr<Divergence> divergence;  // null: no count is pending
  // Returns false if the budget is used up: call again. Has the errors of read_branch(); do not
  // call again after an error.
  Result<bool> count(const AheadBehindWalk::Budget& budget);
};

// `head` is the result of refs.head(). With `to_count` it begins to count, else the two commits are
// only compared. Like in git, an upstream is gone if it does not lead to a commit.
// `sources.objects` must outlive the result.
//
// Fails with kUnsupported if only git can tell: see upstream_of_branch(). Grafts are unsupported
// too: they change the history, and git warns about them.
Result<BranchReading> read_branch(const Head& head, const BranchSources& sources, bool to_count);

// Begins to count how far the commit `ours` is from `ref`. Returns null if both are the same
// commit, `ref` does not exist, or `ref` leads to no commit. Has the errors of
// read_branch().
Result<std::unique_ptr<Divergence>> diverge_from_ref(const ObjectId& ours, const std::string& ref,
                                                     const BranchSources& sources);

// Counts the entries of the stash's reflog, like git.
Result<int> count_stash(RefStore& refs);
// The files whose stat decides count_stash(), existing or not.
std::vector<std::string> stash_files(RefStore& refs);

// The files other than config whose stat decides read_branch(), existing or not.
std::vector<std::string> branch_status_files(const Head& head, const BranchSources& sources);

}  // namespace resident
