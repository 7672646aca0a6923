#include "status/tracked_rows.h"

#include "object/tree.h"

namespace resident {

bool is_rename_destination(const IndexEntry& entry) {
  return entry.intent_to_add() || entry.stage() != 0;
}

PathChange worktree_change(const Index& index, uint32_t position, EntryState state,
                           const SubmoduleState* submodule) {
  const IndexEntry& entry = index.entries()[position];
  PathChange change;
  change.path = index.path(position);
  change.before = Side{entry.mode, index.id(position)};
  const ObjectId null_id = ObjectId::null(index.algorithm());
  if (state.is_absent()) {
    change.change = Change::kDeleted;
    change.after = Side{0, null_id};
  } else if (state.is_present() && entry.intent_to_add()) {
    change.change = Change::kAdded;
    change.before = Side{0, null_id};
    change.after = Side{state.mode(), null_id};
  } else if (state.is_present()) {
    const bool same_type = (state.mode() & kModeTypeMask) == (entry.mode & kModeTypeMask);
    change.change = same_type ? Change::kModified : Change::kTypeChanged;
    change.after = Side{state.mode(), null_id};
  } else if (submodule && *submodule != SubmoduleState{}) {
    change.change = Change::kModified;
    change.after = Side{entry.mode, submodule->new_commits ? null_id : change.before.id};
  }
  return change;
}

ChangedEntry changed_entry(const PathChange* staged, const PathChange* worktree,
                           const SubmoduleState* submodule) {
  ChangedEntry entry;
  auto take_source = [&entry](const PathChange& change) {
    if (change.change != Change::kRenamed && change.change != Change::kCopied) return;
    entry.from = change.from;
    entry.score = change.percent();
  };
  if (staged) {
    entry.path = staged->path;
    entry.index = staged->change;
    entry.head = staged->before;
    entry.in_index = staged->after;
    take_source(*staged);
  }
  if (worktree) {
    entry.path = worktree->path;
    entry.worktree = worktree->change;
    entry.worktree_mode = worktree->after.mode;
    if (worktree->change != Change::kAdded) entry.in_index = worktree->before;
    take_source(*worktree);
    if (!staged) {
      const ObjectId null_id = ObjectId::null(worktree->before.id.algorithm());
      if (worktree->change == Change::kAdded) entry.in_index = Side{0, null_id};
      entry.head = entry.in_index;
    }
    if (worktree->after.mode == kModeGitlink) {
      if (submodule) entry.submodule = *submodule;
      entry.submodule.new_commits = worktree->before.id != worktree->after.id;
    }
  } else {
    entry.worktree_mode = entry.in_index.mode;
  }
  entry.is_submodule = entry.head.mode == kModeGitlink || entry.in_index.mode == kModeGitlink ||
                       entry.worktree_mode == kModeGitlink;
  return entry;
}

UnmergedEntry unmerged_entry(const Index& index, uint32_t position, EntryState state) {
  UnmergedEntry unmerged;
  unmerged.path = index.path(position);
  const ObjectId null_id = ObjectId::null(index.algorithm());
  unmerged.stages.fill(Side{0, null_id});
  for (uint32_t i = position, end = index.end_of_path(position); i < end; ++i) {
    const IndexEntry& entry = index.entries()[i];
    if (entry.stage() > 0) unmerged.stages[entry.stage() - 1] = Side{entry.mode, index.id(i)};
  }
  if (state.is_present()) unmerged.worktree_mode = state.mode();
  unmerged.is_submodule = unmerged.worktree_mode == kModeGitlink;
  return unmerged;
}

}  // namespace resident
