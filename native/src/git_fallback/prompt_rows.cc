#include "git_fallback/prompt_rows.h"

#include <string_view>

namespace resident {

namespace {

bool hides(const Config& config, std::string_view key, bool ignored) {
  return !ignored && config.get_bool(key) == false;
}

}  // namespace

PromptRows prompt_rows(const PromptQuery& query, const Config& config) {
  PromptRows rows;
  rows.asked.untracked = query.recurse_untracked ? UntrackedMode::kAll : UntrackedMode::kNormal;
  if (hides(config, "status.showuntrackedfiles", query.ignore_status_show_untracked) ||
      hides(config, "bash.showuntrackedfiles", query.ignore_bash_show_untracked)) {
    rows.asked.untracked = UntrackedMode::kNo;
  }
  rows.counts_changes = !hides(config, "bash.showdirtystate", query.ignore_bash_show_dirty);
  return rows;
}

void count_row(const ChangedEntry& row, PromptStatus& status) {
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

}  // namespace resident
