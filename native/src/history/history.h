// What `git status` says of where HEAD is and of what git is in the middle of, as data.
//
// Source: git's wt-status.c and remote.c (format_tracking_info).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hash/object_id.h"

namespace resident {

struct BranchStatus {
  bool initial = false;  // no commit yet
  bool detached = false;
  ObjectId head;  // meaningful unless initial
  // "main", or "HEAD" when detached; the part after refs/heads/, else the full ref. Empty where
  // HEAD cannot be resolved (a loop of symbolic refs).
  std::string name;
  bool outside_heads = false;  // HEAD names a ref that is not under refs/heads/
  bool has_upstream = false;
  std::string upstream;  // "origin/main"
  bool upstream_gone = false;
  // True where they were counted or found equal; false with --no-ahead-behind and a difference.
  bool counted = false;
  int ahead = 0;
  int behind = 0;
  bool differs = false;  // with counted == false: HEAD is not the upstream's commit
  // What `git push` moves, as far as a ref tells of it.
  enum class Push : uint8_t { kUpstream, kElsewhere, kUnknown } push = Push::kUpstream;
  // git says something on standard error of what it met on its way to the upstream.
  bool git_warns = false;
  friend bool operator==(const BranchStatus&, const BranchStatus&) = default;
};

// Commands of an interactive rebase, as `git status` shows them: ids abbreviated.
struct RebaseTodo {
  bool next_is_missing = false;  // there is no list of what is left to do
  size_t done_count = 0;
  size_t next_count = 0;
  std::vector<std::string> done;  // the last two
  std::vector<std::string> next;  // the next two
  std::string done_file;          // as git names it to people: ".git/rebase-merge/done"
  friend bool operator==(const RebaseTodo&, const RebaseTodo&) = default;
};

// What git is in the middle of, and where a detached HEAD came from. Several can hold at once.
struct OperationState {
  bool merging = false;
  bool applying = false;  // git am
  bool patch_is_empty = false;
  bool rebasing = false;
  bool rebasing_interactively = false;
  std::optional<RebaseTodo> todo;  // present with rebasing_interactively
  bool cherry_picking = false;
  bool reverting = false;
  bool bisecting = false;
  std::optional<std::string> branch;         // that is rebased; unset: none is known
  std::optional<std::string> bisected_from;  // the branch; unset: none is known
  std::optional<std::string> onto;
  // Abbreviated commits; empty between two commits of a sequence.
  std::string cherry_picked;
  std::string reverted;
  // MERGE_HEAD or CHERRY_PICK_HEAD is there: the next commit concludes something.
  bool commit_concludes = false;
  bool has_merge_message = false;
  // HEAD has moved since the rebase stopped to edit a commit: with changes in the worktree, that
  // commit is being split.
  bool moved_while_editing = false;
  // Of a detached HEAD; unset where its reflog does not tell.
  std::optional<std::string> detached_from;
  bool detached_at = false;  // HEAD has not moved since
  friend bool operator==(const OperationState&, const OperationState&) = default;
};

}  // namespace resident
