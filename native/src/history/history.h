// The branch and the operation in progress, with the facts that `git status` prints, as data.
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
  // "main", or "HEAD" when detached. The name is the part after refs/heads/, else the full ref.
  // Empty if HEAD cannot be resolved (a loop of symbolic refs).
  std::string name;
  bool outside_heads = false;  // HEAD names a ref that is not under refs/heads/
  bool has_upstream = false;
  std::string upstream;  // "origin/main"
  bool upstream_gone = false;
  // True if ahead and behind were counted, or the commits are equal. False with --no-ahead-behind
  // and a difference.
  bool counted = false;
  int ahead = 0;
  int behind = 0;
  bool differs = false;  // with counted == false: HEAD is not the upstream's commit
  // The target of `git push` compared with the upstream, as far as a ref shows it.
  enum class Push : uint8_t { kUpstream, kElsewhere, kUnknown } push = Push::kUpstream;
  // git prints a warning about a ref or an object that it met while it resolved the upstream.
  bool git_warns = false;
  friend bool operator==(const BranchStatus&, const BranchStatus&) = default;
};

// The commands of an interactive rebase in the form of `git status`: ids are abbreviated.
struct RebaseTodo {
  bool next_is_missing = false;  // the list of remaining commands is missing
  size_t done_count = 0;
  size_t next_count = 0;
  std::vector<std::string> done;  // the last two
  std::vector<std::string> next;  // the next two
  std::string done_file;          // name that git shows to people: ".git/rebase-merge/done"
  friend bool operator==(const RebaseTodo&, const RebaseTodo&) = default;
};

// The operations in progress, and the place that a detached HEAD came from. Several can hold at
// once.
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
  std::optional<std::string> branch;         // branch in rebase; unset: unknown
  std::optional<std::string> bisected_from;  // the branch; unset: unknown
  std::optional<std::string> onto;
  // Abbreviated commits. Empty between two commits of a sequence.
  std::string cherry_picked;
  std::string reverted;
  // MERGE_HEAD or CHERRY_PICK_HEAD exists: the next commit concludes that operation.
  bool commit_concludes = false;
  bool has_merge_message = false;
  // HEAD has moved since the rebase stopped to edit a commit. With changes in the worktree, this
  // means that the user splits that commit.
  bool moved_while_editing = false;
  // Only for a detached HEAD. Unset if its reflog has no checkout.
  std::optional<std::string> detached_from;
  bool detached_at = false;  // HEAD has not moved since
  friend bool operator==(const OperationState&, const OperationState&) = default;
};

}  // namespace resident
