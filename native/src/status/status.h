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
#include <string_view>
#include <vector>

#include "diff/path_change.h"
#include "diff/renames.h"
#include "history/history.h"
#include "pattern/pathspec.h"

namespace resident {

enum class UntrackedMode : uint8_t { kNo, kNormal, kAll };
enum class IgnoredMode : uint8_t { kNo, kTraditional, kMatching };
enum class IgnoreSubmodules : uint8_t { kNone, kUntracked, kDirty, kAll };

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

// The "<sub>" field of porcelain v2: S<c><m><u>.
struct SubmoduleState {
  bool new_commits = false;
  bool modified_content = false;
  bool untracked_content = false;
  friend bool operator==(const SubmoduleState&, const SubmoduleState&) = default;
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
  // X and Y of a status line.
  std::string_view letters() const {
    constexpr std::string_view kLetters[] = {"", "DD", "AU", "UD", "UA", "DU", "AA", "UU"};
    return kLetters[stage_mask()];
  }
  friend bool operator==(const UnmergedEntry&, const UnmergedEntry&) = default;
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
  bool git_warned = false;
};

}  // namespace resident
