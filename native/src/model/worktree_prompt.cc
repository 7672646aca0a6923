// The part of WorktreeModel that answers prompts.
#include "model/answer_checks.h"
#include "model/worktree_model.h"
#include "status/untracked_view.h"

namespace resident {

namespace {

void count_rows(const StatusRows::Lists& rows, PromptStatus& status) {
  for (const auto& [path, row] : rows.changed) {
    switch (row.index) {
      case Change::kNone:
        break;
      case Change::kRenamed:
        status.staged += 2;
        ++status.staged_new;
        ++status.staged_deleted;
        break;
      default:
        ++status.staged;
        status.staged_new += row.index == Change::kAdded || row.index == Change::kCopied;
        status.staged_deleted += row.index == Change::kDeleted;
    }
    // A file that is intended to be added can be the destination of a rename.
    const bool is_renamed = row.worktree == Change::kRenamed;
    status.unstaged += row.worktree != Change::kNone;
    status.unstaged += is_renamed;
    status.unstaged_deleted += row.worktree == Change::kDeleted || is_renamed;
  }
  status.conflicted = rows.unmerged.size();
}

bool hides(const Config& config, std::string_view key, bool ignored) {
  return !ignored && config.get_bool(key) == false;
}

}  // namespace

bool WorktreeModel::want_details(bool wanted) {
  if (wants_details_ == wanted) return false;
  wants_details_ = wanted;
  // Known from now on to whoever watches their files, or to nobody.
  gated_files_.outdate();
  if (!wanted) details_.reset();
  return true;
}

void WorktreeModel::update_details(const ModelView& view) {
  using Known = BranchDetails::Known;
  details_ = prompt_.details(view, causes_, *branch_.get(), !branch_.is_counting());
  const bool is_pending =
      details_->tag_known == Known::kPending || details_->push_known == Known::kPending;
  if (is_pending && options_.git_answered) options_.git_answered();
}

Result<PromptStatus> WorktreeModel::prompt(const PromptQuery& query) {
  RESIDENT_CHECK(come_up_to_date());
  if (is_delegated()) return Error{ErrorCode::kUnsupported, delegate_.reason()};
  const ModelView view = this->view();
  if (!state_->head().id && state_->head_is_ambiguous()) {
    return Error{ErrorCode::kUnsupported, "without a commit, HEAD means another ref of that name"};
  }
  StatusQuery asked;
  asked.untracked = query.recurse_untracked ? UntrackedMode::kAll : UntrackedMode::kNormal;
  const Config& config = state_->config();
  const bool hides_dirty = hides(config, "bash.showdirtystate", query.ignore_bash_show_dirty);
  if (hides(config, "status.showuntrackedfiles", query.ignore_status_show_untracked) ||
      hides(config, "bash.showuntrackedfiles", query.ignore_bash_show_untracked)) {
    asked.untracked = UntrackedMode::kNo;
  }
  // Where git takes a deleted file for the source of one with conflicts, no row tells the deletion.
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
  RESIDENT_CHECK(prompt_.fill(view, causes_, *branch_.get(), query, status));
  if (!query.index) return status;
  if (!hides_dirty) {
    if (rows_.are_of(asked, submodules_)) {
      count_rows(rows_.lists(), status);
    } else {
      RESIDENT_TRY(const StatusRows::Lists rows, rows_.make(sources(view), asked));
      count_rows(rows, status);
    }
  }
  if (asked.untracked == UntrackedMode::kNo) return status;
  RESIDENT_TRY(const UntrackedLists lists,
               untracked_view(fs_, repository_.worktree, *index_, tree_->top(),
                              {asked.untracked, asked.ignored, view.limit_of(asked.pathspec),
                               state_->settings().ignore_case, false}));
  status.untracked = lists.untracked.size();
  return status;
}

}  // namespace resident
