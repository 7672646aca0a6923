// The part of WorktreeModel about HEAD's branch.
#include "model/worktree_model.h"
#include "worktree/branch_status.h"

namespace resident {

Result<BranchStatus> WorktreeModel::read_branch(bool ahead_behind) {
  const BranchSources sources{state_->refs(), state_->objects(), fs_, repository_.common_dir,
                              [this](std::string_view key) {
                                std::vector<std::string> values;
                                for (std::string_view value : state_->config().get_all(key))
                                  values.emplace_back(value);
                                return values;
                              }};
  branch_files_ = FileSet::record(fs_, branch_status_files(state_->head(), sources));
  return read_branch_status(state_->head(), sources, ahead_behind);
}

Result<void> WorktreeModel::update_branch() {
  const bool fresh = branch_ && !branch_differs_ && !branch_files_.changed(fs_);
  if (fresh) return {};
  RESIDENT_TRY(branch_, read_branch(true));
  branch_differs_ = false;
  return {};
}

}  // namespace resident
