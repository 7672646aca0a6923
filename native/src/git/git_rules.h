// GitRules: the differences of status between versions of git, one field each.
//
// Code that computes an answer tests the field, never the version. The table of all fields, with
// their tests, is native/GIT_VERSIONS.md.
#pragma once

#include "git/git_version.h"

namespace resident {

// A default object has the rules of the newest git.
struct GitRules {
  // --- Renames ---
  // The text after a content's last newline counts as one more chunk. Since 2.43.2.
  bool counts_incomplete_chunk = true;
  // Compares files with a basename that is unique on both sides first. Sources used in this step
  // are not compared again. Since 2.31.
  bool prefers_unique_basenames = true;
  // Used if no limit is configured. 400 before 2.33.
  int default_rename_limit = 1000;

  // --- Patterns and the walk ---
  // See PatternMatching::glob_sees_prefix. Since 2.52.
  bool glob_sees_prefix = true;
  // Ignores a directory with the name .gitattributes. Before 2.32, git prints a warning.
  bool passes_over_attribute_directories = true;
  // The walk lists the paths that match a pathspec, and no ignored files in nested repositories.
  // Since 2.29. Before that, git answers questions with a pathspec or for ignored files.
  bool walks_by_pathspec = true;

  // --- Sparse checkouts ---
  // A file that exists counts, although its entry is marked skip-worktree. Since 2.36.
  bool unskips_present_files = true;
  // Reading an index makes it sparse if index.sparse asks for it, and no collapsed directory exists
  // in the worktree. Otherwise reading makes it full. Since 2.35; before that, it stays as on disk.
  bool folds_index_on_reading = true;
  // Differences from HEAD below a sparse directory are listed file by file. Since 2.36. Before
  // that, git answers: it lists only the next level of directories.
  bool tells_files_of_sparse_directories = true;
  // Attributes files outside of the cone are read from the index, and from the trees of its sparse
  // directories. Since 2.43. Before that, only those in the worktree are read.
  bool reads_attributes_outside_of_cone = true;
  // Prints advice on standard error if it must expand a sparse index. Since 2.46.
  bool advises_on_unfolding = true;

  // --- Short and porcelain formats ---
  // Quotes paths with a space for all files. Before that, only for changed files, not for
  // untracked, ignored and unmerged ones. Since 2.29.
  bool quotes_spaces_everywhere = true;
  // Version 2 has a header for the stash. Since 2.35.
  bool tells_stash_in_v2 = true;
  // Colours the letters of untracked and ignored files with -z too. Since 2.51.2.
  bool colors_null_terminated_letters = true;

  // An intent-to-add file (`git add -N`) has the mode of the worktree. Since 2.29. Before that, git
  // answers if the modes differ, or if the entry is a repository.
  bool looks_at_files_to_add = true;

  // --- Options and config ---
  // Option --untracked-files and status.showUntrackedFiles accept booleans. Since 2.45.
  bool untracked_mode_may_be_boolean = true;
  // Supports core.commentString, and core.commentChar with several bytes. Since 2.45.
  bool comment_may_be_string = true;
  // Setting core.commentChar=auto cancels an earlier value. Since 2.51.
  bool comment_auto_resets = true;
  // Setting core.abbrev accepts "no" and other false values. Since 2.31.
  bool abbrev_may_be_off = true;
  // Setting branch.autoSetupMerge accepts "inherit" since 2.35, and "simple" since 2.37.
  bool tracking_may_be_inherited = true;
  bool tracking_may_be_simple = true;
  // Setting core.fsmonitor accepts booleans; before that, "true" is the name of a program. Since
  // 2.36.
  bool fsmonitor_may_be_boolean = true;
  // Refspecs may begin with '^'. Since 2.29.
  bool refspecs_may_be_negative = true;
  // The variable GIT_ADVICE turns all advice off. Since 2.46.
  bool advice_by_environment = true;

  // --- Long format ---
  // Prints "You are in a sparse checkout". Since 2.28.
  bool tells_sparse_checkout = true;
  // Omits the percentage if the index is sparse. Since 2.33.
  bool tells_sparse_index = true;
  // Prints advice on an empty patch. Since 2.35.
  bool advises_am_allow_empty = true;
  // Refers to the manual if the search for untracked files was slow. Since 2.40; before that, the
  // advice named -uno.
  bool points_to_help_when_slow = true;
  // For a diverged branch, prints "if you want to integrate"; "to merge" before 2.42.
  bool advises_to_integrate = true;
  // Names the commit that is being picked or reverted also during a sequence of commits. Since
  // 2.42.
  bool names_commit_of_sequence = true;
  // Keeps the names of a rebased branch and of a bisected branch apart. Before 2.43.1, a
  // bisection's start branch replaces the name of the rebased branch.
  bool separates_bisected_branch = true;
  // Removes the space after a rebase command that ends with an id. Since 2.52.
  bool trims_rebase_command = true;
  // Supports status.compareBranches. Advises to push, or to show counts, only if `git push` would
  // update the upstream. Since 2.54.
  bool compares_with_push_branch = true;

  // --- Refs ---
  // Shortens refs/remotes/<remote>/HEAD to <remote>, before that to <remote>/HEAD. Since 2.40.
  bool strips_head_of_remotes = true;

  // --- Objects ---
  // Reads chains of multi-pack-indexes. Ignores them before 2.47.
  bool reads_multi_pack_index_chains = true;
  // Reads multi-pack-indexes of version 2. Confirmed since 2.55. Git 2.47 dies on such a file. For
  // the versions in between, git itself is asked.
  bool reads_multi_pack_index_version_2 = true;

  // --- core.fsmonitor ---
  // The commands `git diff <tree>` and `git diff-index` are correct for files that the monitor does
  // not report. Before 2.43, they sometimes report such files as deleted.
  bool diffs_trees_with_monitor = true;

  // --- git describe ---
  // Stops the search when it has the maximum number of candidates, or as many as there are tags.
  // Since 2.48.
  bool describe_stops_at_last_candidate = true;

  friend bool operator==(const GitRules&, const GitRules&) = default;
};

// Older versions have differences without a rule here.
inline constexpr GitVersion kOldestGit{2, 26, 0};

// Returns an Error (kIo) for an older git. Its message names both versions.
Result<void> check_git_version(const GitVersion& version);

GitRules git_rules(const GitVersion& version);

// Returns the rules of the git on PATH, after it has reported its version (git_version()).
Result<GitRules> current_git_rules();

}  // namespace resident
