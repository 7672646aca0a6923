// The part of WorktreeModel about HEAD's branch.
#include "model/worktree_model.h"
#include "worktree/ask_git.h"

namespace resident {

Result<void> WorktreeModel::update_branch(bool ahead_behind) {
  StatusQuery query;
  query.untracked = UntrackedMode::kNo;
  query.branch = true;
  query.ahead_behind = ahead_behind;
  RESIDENT_TRY(StatusResult status, ask_git(query, git_options()));
  branch_ = status.branch;
  return {};
}

Result<int> WorktreeModel::stash_entries() { return 0; }

}  // namespace resident
