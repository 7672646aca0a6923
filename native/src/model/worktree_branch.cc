// The part of WorktreeModel about HEAD: its branch, and what git is in the middle of.
#include <algorithm>

#include "base/stopwatch.h"
#include "history/branch_status.h"
#include "history/operation_state.h"
#include "model/worktree_model.h"

namespace resident {

Result<BranchStatus> WorktreeModel::read_branch(bool ahead_behind) {
  const BranchSources sources{state_->refs(), state_->objects(), fs_, repository_.common_dir,
                              [this](std::string_view key) {
                                std::vector<std::string> values;
                                for (std::string_view value : state_->config().get_all(key))
                                  values.emplace_back(value);
                                return values;
                              }};
  branch_files_ =
      FileSet::record_found(fs_, [&] { return branch_status_files(state_->head(), sources); });
  return read_branch_status(state_->head(), sources, ahead_behind);
}

Result<void> WorktreeModel::update_branch() {
  const bool fresh = branch_ && !branch_differs_ && !branch_files_.changed(fs_, options_.gate);
  if (fresh) return {};
  // Until it succeeds: the files are recorded already.
  branch_differs_ = true;
  RESIDENT_TRY(branch_, read_branch(true));
  branch_differs_ = false;
  return {};
}

Result<void> WorktreeModel::add_branch(const StatusQuery& query, StatusResult& result) {
  if (!query.branch) return {};
  const Stopwatch counting;
  if (query.ahead_behind) {
    RESIDENT_CHECK(update_branch());
    result.branch = branch_;
  } else {
    RESIDENT_TRY(result.branch, read_branch(false));
  }
  result.counting = counting.elapsed();
  return {};
}

Result<void> WorktreeModel::add_operation(StatusResult& result) {
  // Whether it is advised to push is not known; it is not advised to who is behind.
  if (state_->git_rules().compares_with_push_branch && result.branch &&
      result.branch->push == BranchStatus::Push::kUnknown && result.branch->differs &&
      (!result.branch->counted || (result.branch->ahead > 0 && result.branch->behind == 0))) {
    return Error{ErrorCode::kUnsupported,
                 result.branch->name + ": where it is pushed depends on refspecs"};
  }
  const OperationSources sources{
      fs_, state_->refs(), state_->objects(), state_->config(), state_->git_rules(), repository_};
  RESIDENT_TRY(result.operation, read_operation_state(state_->head(), sources));
  RESIDENT_TRY(result.sparse_checkout, sparse_checkout());
  return {};
}

Result<std::optional<SparseCheckout>> WorktreeModel::sparse_checkout() const {
  const Config& config = state_->config();
  const size_t count = index_->entries().size();
  const GitRules& rules = state_->git_rules();
  if (!rules.tells_sparse_checkout || !config.get_bool("core.sparsecheckout", false)) {
    return std::optional<SparseCheckout>();
  }
  if (count == 0 && index_->sparse_directories().empty()) return std::optional<SparseCheckout>();
  const bool folds = rules.folds_index_on_reading && state_->folds_index();
  const bool stays_sparse = !rules.folds_index_on_reading || (folds && state_->sparse_cone());
  if (rules.tells_sparse_index && stays_sparse && index_->is_sparse())
    return std::optional(SparseCheckout{});
  // Else git folds the index up or unfolds it, as it reads it or because of what it finds, and what
  // it says depends on that.
  const bool may_unfold = !rules.folds_index_on_reading && sparse_as_read_;
  if (folds || may_unfold || !index_->sparse_directories().empty()) {
    return Error{ErrorCode::kUnsupported, repository_.index_path + ": it may be sparse"};
  }
  const std::span<const EntryState> states = tree_->states();
  const auto skipped = static_cast<size_t>(std::count_if(
      states.begin(), states.end(), [](EntryState state) { return state.is_skipped(); }));
  return std::optional(SparseCheckout{static_cast<int>(100 - 100 * skipped / count)});
}

}  // namespace resident
