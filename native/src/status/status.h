// Questions to `git status` and their answers, as data before printing.
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

// One question. Unset options come from the repository's config.
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
  // git's operation in progress (merge, rebase, ...), and how sparse the worktree is.
  bool operation = false;
  // Limits the answer to these paths; null: all paths.
  std::shared_ptr<const Pathspec> pathspec;
};

// The "<sub>" field of porcelain v2: S<c><m><u>.
struct SubmoduleState {
  bool new_commits = false;
  bool modified_content = false;
  bool untracked_content = false;
  friend bool operator==(const SubmoduleState&, const SubmoduleState&) = default;
};

// A tracked path without a conflict that differs between HEAD and index or index and worktree.
struct ChangedEntry {
  std::string path;                 // from the worktree's root
  Change index = Change::kNone;     // HEAD against index
  Change worktree = Change::kNone;  // index against worktree
  Side head;
  Side in_index;
  uint32_t worktree_mode = 0;
  // The source of a rename or copy; empty for neither. With git's own rules only one side can have
  // a source. If both match, the worktree's source is used, like in wt-status.c.
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
  // Bits 1, 2 and 4 for the existing stages, like stagemask in wt-status.c.
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

// The share of index entries that a sparse checkout has in the worktree.
struct SparseCheckout {
  std::optional<int> percent_present;  // unset for a sparse index, whose files are not counted
  friend bool operator==(const SparseCheckout&, const SparseCheckout&) = default;
};

// One answer. Lists are sorted by path bytes, like git's output.
struct StatusResult {
  std::optional<BranchStatus> branch;  // set if asked
  int stash_count = 0;                 // 0 unless asked
  std::vector<ChangedEntry> changed;
  std::vector<UnmergedEntry> unmerged;
  std::vector<std::string> untracked;             // directories end in '/'
  std::vector<std::string> ignored;               // directories end in '/'
  std::optional<OperationState> operation;        // set if asked
  std::optional<SparseCheckout> sparse_checkout;  // set if asked, in a sparse checkout
  // Time to examine the worktree, and time to count the commits of `branch`.
  std::chrono::milliseconds enumerating{0};
  std::chrono::milliseconds counting{0};
  // git gave this answer, and also wrote to standard error.
  bool git_warned = false;
};

}  // namespace resident
