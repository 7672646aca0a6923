// The part of WorktreeModel that answers prompts.
#include <utility>

#include "git_fallback/prompt_by_git.h"
#include "git_fallback/prompt_rows.h"
#include "model/answer_checks.h"
#include "model/worktree_model.h"
#include "status/untracked_view.h"

namespace resident {

namespace {

void count_rows(const StatusRows::Lists& rows, PromptStatus& status) {
  for (const auto& [path, row] : rows.changed) count_row(row, status);
  status.conflicted = rows.unmerged.size();
}

}  // namespace

bool WorktreeModel::want_details(bool wanted) {
  if (wants_details_ == wanted) return false;
  wants_details_ = wanted;
  // The gate has to watch the files of the details from now on, or no longer.
  gated_files_.outdate();
  if (!wanted) details_.reset();
  return true;
}

void WorktreeModel::update_details(const ModelView& view) {
  using Known = BranchDetails::Known;
  details_ = prompt_.details(view, input_versions_, *branch_.get(), !branch_.is_counting());
  const bool is_pending =
      details_->tag_known == Known::kPending || details_->push_known == Known::kPending;
  if (is_pending && options_.git_answered) options_.git_answered();
}

Result<PromptStatus> WorktreeModel::prompt(const PromptQuery& query) {
  RESIDENT_CHECK(come_up_to_date());
  if (!is_delegated()) {
    Result<PromptStatus> own = own_prompt(query);
    const bool is_for_git = !own.ok() && own.error().code == ErrorCode::kUnsupported;
    if (!is_for_git || !options_.trusted || !options_.asks_git) return own;
    // Earlier answers of git may be about a stale state.
    delegate_.forget();
  }
  RESIDENT_TRY(PromptStatus status, prompt_by_git(fs_, query, git_, delegate_));
  status.worktree = repository_.worktree;
  return status;
}

Result<PromptStatus> WorktreeModel::own_prompt(const PromptQuery& query) {
  const ModelView view = this->view();
  if (!state_->head().id && state_->head_is_ambiguous()) {
    return Error{ErrorCode::kUnsupported,
                 "before the first commit, HEAD can be the name of another ref"};
  }
  auto [asked, counts_changes] = prompt_rows(query, state_->config());
  // git may take a deleted file for the rename source of a conflicted file. Then no row shows the
  // deletion.
  if (!rows_.lists().unmerged.empty()) asked.renames = RenameMode::kOff;
  if (query.index) {
    RESIDENT_CHECK(check_known(view, asked));
    RESIDENT_CHECK(check_answerable(sources(view), asked));
  } else {
    RESIDENT_CHECK(check_known());
  }
  PromptStatus status;
  status.worktree = repository_.worktree;
  RESIDENT_CHECK(count_branch(view));
  RESIDENT_CHECK(prompt_.fill(view, input_versions_, *branch_.get(), query, status));
  if (!query.index) return status;
  if (counts_changes) {
    if (rows_.are_of(asked, submodules_)) {
      count_rows(rows_.lists(), status);
    } else {
      RESIDENT_TRY(const StatusRows::Lists rows, rows_.make(sources(view), asked));
      count_rows(rows, status);
    }
  }
  if (asked.untracked == UntrackedMode::kNo) return status;
  RESIDENT_TRY(const UntrackedLists lists,
               untracked_view(fs_, repository_.worktree, *index_, *tree_->state().top,
                              {asked.untracked, asked.ignored, view.limit_of(asked.pathspec),
                               state_->settings().ignore_case, false}));
  status.untracked = lists.untracked.size();
  return status;
}

}  // namespace resident
