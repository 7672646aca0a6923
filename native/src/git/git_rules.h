// GitRules: what status does differently from one version of git to another, one field each.
//
// Whoever makes an answer asks the field, never the version. native/GIT_VERSIONS.md is the table of
// them, with the tests that hold them.
#pragma once

#include "git/git_version.h"

namespace resident {

// A default one has the rules of the newest git.
struct GitRules {
  // --- Renames ---
  // What follows a content's last newline counts as one more chunk. Since 2.43.2.
  bool counts_incomplete_chunk = true;
  // Files of a basename that is unique on both sides are compared first, and sources that are used
  // up take no part in what follows. Since 2.31.
  bool prefers_unique_basenames = true;
  // Without a configured limit. 400 before 2.33.
  int default_rename_limit = 1000;

  // --- Patterns and the walk ---
  // PatternMatching::glob_sees_prefix. Since 2.52.
  bool glob_sees_prefix = true;
  // A directory called .gitattributes is no attributes file; before 2.32 git complains of it.
  bool passes_over_attribute_directories = true;
  // The walk lists what a pathspec matches, and no ignored files in nested repositories.
  // Since 2.29; before that, questions with a pathspec or for ignored files are git's.
  bool walks_by_pathspec = true;

  // --- Sparse checkouts ---
  // A file that is present counts, although its entry is marked skip-worktree. Since 2.36.
  bool unskips_present_files = true;
  // An index is folded up or unfolded as it is read, so that it is sparse where index.sparse wants
  // it to be, and nothing is there that it folds up. Since 2.35; before that, it is as on disk.
  bool folds_index_on_reading = true;
  // What differs from HEAD below a sparse directory is told file by file. Since 2.36; before that,
  // it is git's to tell: it does so down to the next directory only.
  bool tells_files_of_sparse_directories = true;
  // Attributes files outside of the cone are read from the index, and from the trees of its sparse
  // directories. Since 2.43; before that, only those that are in the worktree.
  bool reads_attributes_outside_of_cone = true;
  // Advice on standard error where a sparse index has to be unfolded. Since 2.46.
  bool advises_on_unfolding = true;

  // --- Short and porcelain formats ---
  // A space in the path of an untracked, ignored or unmerged file is quoted as in that of a changed
  // one. Since 2.29.
  bool quotes_spaces_everywhere = true;
  // Version 2 has a header for the stash. Since 2.35.
  bool tells_stash_in_v2 = true;
  // The letters of untracked and ignored files are coloured with -z too. Since 2.51.2.
  bool colors_null_terminated_letters = true;

  // A file that is to be added (`git add -N`) has the mode that it has in the worktree. Since 2.29;
  // before that, where it differs from the index's, and of a repository, it is git's to tell.
  bool looks_at_files_to_add = true;

  // --- Options and config ---
  // --untracked-files and status.showUntrackedFiles take booleans. Since 2.45.
  bool untracked_mode_may_be_boolean = true;
  // core.commentString, and core.commentChar of several bytes. Since 2.45.
  bool comment_may_be_string = true;
  // core.commentChar=auto undoes what was set before. Since 2.51.
  bool comment_auto_resets = true;
  // core.abbrev takes "no" and its kin. Since 2.31.
  bool abbrev_may_be_off = true;
  // branch.autoSetupMerge takes "inherit", since 2.35, and "simple", since 2.37.
  bool tracking_may_be_inherited = true;
  bool tracking_may_be_simple = true;
  // core.fsmonitor takes booleans; before, "true" is the name of a program. Since 2.36.
  bool fsmonitor_may_be_boolean = true;
  // Refspecs that begin with '^'. Since 2.29.
  bool refspecs_may_be_negative = true;
  // GIT_ADVICE turns every advice off. Since 2.46.
  bool advice_by_environment = true;

  // --- Long format ---
  // "You are in a sparse checkout". Since 2.28.
  bool tells_sparse_checkout = true;
  // And without a percentage where the index is sparse. Since 2.33.
  bool tells_sparse_index = true;
  // Advice on an empty patch. Since 2.35.
  bool advises_am_allow_empty = true;
  // Points to the manual where looking for untracked files was slow. Since 2.40; before that it
  // spoke of -uno.
  bool points_to_help_when_slow = true;
  // Of a diverged branch: "if you want to integrate"; "to merge" before 2.42.
  bool advises_to_integrate = true;
  // A commit that is being picked or reverted is named although a sequence of them goes on. Since
  // 2.42.
  bool names_commit_of_sequence = true;
  // A bisection that began on another branch than the one that is rebased does not take its place.
  // Since 2.43.1.
  bool tells_bisected_branch_apart = true;
  // A command of a rebase that ends with its id has no space after it. Since 2.52.
  bool trims_rebase_command = true;
  // status.compareBranches; and to push or to count is advised only where the upstream is what
  // `git push` would move. Since 2.54.
  bool compares_with_push_branch = true;

  // --- Refs ---
  // refs/remotes/<remote>/HEAD is short <remote>, where it was <remote>/HEAD. Since 2.40.
  bool strips_head_of_remotes = true;

  // --- Objects ---
  // Chains of multi-pack-indexes, which it passes over before. Since 2.47.
  bool reads_multi_pack_index_chains = true;
  // Multi-pack-indexes of version 2, of which it dies before. Since 2.55 for sure: 2.47 dies, and
  // one in between is asked itself.
  bool reads_multi_pack_index_version_2 = true;

  // --- core.fsmonitor ---
  // `git diff <tree>` and `git diff-index` are right about files that the monitor says nothing of.
  // Since 2.43; before that, they tell some of them as deleted, by chance.
  bool diffs_trees_with_monitor = true;

  // --- git describe ---
  // Once there are as many candidates as may be, or as there are tags, it looks for no more. Since
  // 2.48.
  bool describe_stops_at_last_candidate = true;

  friend bool operator==(const GitRules&, const GitRules&) = default;
};

// Older ones answer otherwise in ways that have no rule here.
inline constexpr GitVersion kOldestGit{2, 26, 0};

// An Error (kIo) for an older git, with a message that names both versions.
Result<void> check_git_version(const GitVersion& version);

GitRules git_rules(const GitVersion& version);

// Those of the git on PATH, once it has said its version (git_version()).
Result<GitRules> current_git_rules();

}  // namespace resident
