// What `git status` says, as data: the questions that can be asked and the answer before it is
// printed.
//
// Source of every rule: git's Documentation/git-status.txt and wt-status.c.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hash/object_id.h"
#include "pattern/pathspec.h"

namespace resident {

enum class UntrackedMode : uint8_t { kNo, kNormal, kAll };
enum class IgnoredMode : uint8_t { kNo, kTraditional, kMatching };
enum class IgnoreSubmodules : uint8_t { kNone, kUntracked, kDirty, kAll };
enum class RenameMode : uint8_t { kOff, kRenames, kCopies };

// One question. What is not set by an option comes from the repository's config.
struct StatusQuery {
  UntrackedMode untracked = UntrackedMode::kNormal;
  IgnoredMode ignored = IgnoredMode::kNo;
  // Unset: submodule.<name>.ignore, then diff.ignoreSubmodules, decide for each submodule.
  std::optional<IgnoreSubmodules> ignore_submodules;
  // Unset: status.renames, then diff.renames, decide.
  std::optional<RenameMode> renames;
  // Minimum similarity, 0..60000 (git's MAX_SCORE); unset: half of it.
  std::optional<int> rename_score;
  // Branch header with ahead and behind counts (status.aheadBehind).
  bool branch = false;
  bool ahead_behind = true;
  bool stash = false;
  // What git is in the middle of, and how sparse the worktree is.
  bool operation = false;
  // The paths that are asked about; null: all.
  std::shared_ptr<const Pathspec> pathspec;
};

// The letter of a status line; kNone prints as '.' in porcelain v2 and ' ' in the others.
enum class Change : char {
  kNone = '.',
  kModified = 'M',
  kTypeChanged = 'T',
  kAdded = 'A',
  kDeleted = 'D',
  kRenamed = 'R',
  kCopied = 'C',
};

// The "<sub>" field of porcelain v2: S<c><m><u>.
struct SubmoduleState {
  bool new_commits = false;
  bool modified_content = false;
  bool untracked_content = false;
  friend bool operator==(const SubmoduleState&, const SubmoduleState&) = default;
};

// One blob as one side of a comparison sees it; mode 0 and the null id where it does not exist.
struct Side {
  uint32_t mode = 0;  // as in git: 0100644 0100755 0120000 0160000
  ObjectId id;
  friend bool operator==(const Side&, const Side&) = default;
};

// A tracked path that differs somewhere and has no conflict.
struct ChangedEntry {
  std::string path;                 // from the worktree's root
  Change index = Change::kNone;     // HEAD against index
  Change worktree = Change::kNone;  // index against worktree
  Side head;
  Side in_index;
  uint32_t worktree_mode = 0;
  // The source of a rename or copy of either kind; empty for neither. Only one side can have one
  // with git's own rules where both match: the worktree's wins, as wt-status.c has it.
  std::string from;
  int score = 0;  // similarity in percent
  bool is_submodule = false;
  SubmoduleState submodule;
  friend bool operator==(const ChangedEntry&, const ChangedEntry&) = default;
};

// A path with stages 1..3 in the index.
struct UnmergedEntry {
  std::string path;
  std::array<Side, 3> stages;  // base, ours, theirs; mode 0 where absent
  uint32_t worktree_mode = 0;
  bool is_submodule = false;
  SubmoduleState submodule;
  // Bits 1, 2 and 4 for the stages that exist, as wt-status.c's stagemask.
  int stage_mask() const {
    return (stages[0].mode ? 1 : 0) | (stages[1].mode ? 2 : 0) | (stages[2].mode ? 4 : 0);
  }
  friend bool operator==(const UnmergedEntry&, const UnmergedEntry&) = default;
};

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
  bool git_speaks = false;
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

// How much of the index a sparse checkout has in the worktree.
struct SparseCheckout {
  std::optional<int> percent_present;  // unset with a sparse index, which is not counted
  friend bool operator==(const SparseCheckout&, const SparseCheckout&) = default;
};

// One answer. Lists are in byte order of their paths, as git prints them.
struct StatusResult {
  std::optional<BranchStatus> branch;  // present if asked
  int stash_count = 0;                 // 0 unless asked
  std::vector<ChangedEntry> changed;
  std::vector<UnmergedEntry> unmerged;
  std::vector<std::string> untracked;             // directories end in '/'
  std::vector<std::string> ignored;               // directories end in '/'
  std::optional<OperationState> operation;        // present if asked
  std::optional<SparseCheckout> sparse_checkout;  // if asked and the checkout is sparse
  // How long it took to look at the worktree, and to count `branch`'s commits.
  std::chrono::milliseconds enumerating{0};
  std::chrono::milliseconds counting{0};
  // git answered, and said something on standard error too.
  bool git_spoke = false;
};

}  // namespace resident
