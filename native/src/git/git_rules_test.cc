#include "git/git_rules.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

struct Turn {
  const char* name;
  bool GitRules::*rule;
  GitVersion before;
  GitVersion since;
};

// The last git release without each rule, and the first one with it.
constexpr Turn kTurns[] = {
    {"incomplete chunk", &GitRules::counts_incomplete_chunk, {2, 43, 1}, {2, 43, 2}},
    {"unique basenames", &GitRules::prefers_unique_basenames, {2, 30, 9}, {2, 31, 0}},
    {"quoted spaces", &GitRules::quotes_spaces_everywhere, {2, 28, 1}, {2, 29, 0}},
    {"stash in version 2", &GitRules::tells_stash_in_v2, {2, 34, 8}, {2, 35, 0}},
    {"colours with -z", &GitRules::colors_null_terminated_letters, {2, 51, 1}, {2, 51, 2}},
    {"files to add", &GitRules::looks_at_files_to_add, {2, 28, 1}, {2, 29, 0}},
    {"boolean -u", &GitRules::untracked_mode_may_be_boolean, {2, 44, 4}, {2, 45, 0}},
    {"comment string", &GitRules::comment_may_be_string, {2, 44, 4}, {2, 45, 0}},
    {"comment auto", &GitRules::comment_auto_resets, {2, 50, 1}, {2, 51, 0}},
    {"GIT_ADVICE", &GitRules::advice_by_environment, {2, 45, 4}, {2, 46, 0}},
    {"sparse checkout", &GitRules::tells_sparse_checkout, {2, 27, 1}, {2, 28, 0}},
    {"sparse index", &GitRules::tells_sparse_index, {2, 32, 7}, {2, 33, 0}},
    {"am --allow-empty", &GitRules::advises_am_allow_empty, {2, 34, 8}, {2, 35, 0}},
    {"slow", &GitRules::points_to_help_when_slow, {2, 39, 5}, {2, 40, 0}},
    {"integrate", &GitRules::advises_to_integrate, {2, 41, 3}, {2, 42, 0}},
    {"sequence", &GitRules::names_commit_of_sequence, {2, 41, 3}, {2, 42, 0}},
    {"bisected branch", &GitRules::separates_bisected_branch, {2, 43, 0}, {2, 43, 1}},
    {"rebase command", &GitRules::trims_rebase_command, {2, 51, 2}, {2, 52, 0}},
    {"prefix of a glob", &GitRules::glob_sees_prefix, {2, 51, 2}, {2, 52, 0}},
    {"attribute directories", &GitRules::passes_over_attribute_directories, {2, 31, 8}, {2, 32, 0}},
    {"walk by pathspec", &GitRules::walks_by_pathspec, {2, 28, 1}, {2, 29, 0}},
    {"present files", &GitRules::unskips_present_files, {2, 35, 8}, {2, 36, 0}},
    {"folding on reading", &GitRules::folds_index_on_reading, {2, 34, 8}, {2, 35, 0}},
    {"files of sparse directories",
     &GitRules::tells_files_of_sparse_directories,
     {2, 35, 8},
     {2, 36, 0}},
    {"attributes outside of the cone",
     &GitRules::reads_attributes_outside_of_cone,
     {2, 42, 4},
     {2, 43, 0}},
    {"advice on unfolding", &GitRules::advises_on_unfolding, {2, 45, 4}, {2, 46, 0}},
    {"core.abbrev=no", &GitRules::abbrev_may_be_off, {2, 30, 9}, {2, 31, 0}},
    {"inherited tracking", &GitRules::tracking_may_be_inherited, {2, 34, 8}, {2, 35, 0}},
    {"simple tracking", &GitRules::tracking_may_be_simple, {2, 36, 6}, {2, 37, 0}},
    {"tree and monitor", &GitRules::diffs_trees_with_monitor, {2, 42, 4}, {2, 43, 0}},
    {"boolean core.fsmonitor", &GitRules::fsmonitor_may_be_boolean, {2, 35, 8}, {2, 36, 0}},
    {"negative refspecs", &GitRules::refspecs_may_be_negative, {2, 28, 1}, {2, 29, 0}},
    {"push branch", &GitRules::compares_with_push_branch, {2, 53, 0}, {2, 54, 0}},
    {"HEAD of a remote", &GitRules::strips_head_of_remotes, {2, 39, 5}, {2, 40, 0}},
    {"chains", &GitRules::reads_multi_pack_index_chains, {2, 46, 4}, {2, 47, 0}},
    {"midx 2", &GitRules::reads_multi_pack_index_version_2, {2, 54, 0}, {2, 55, 0}},
    {"describe", &GitRules::describe_stops_at_last_candidate, {2, 47, 3}, {2, 48, 0}}};

TEST(GitRules, TurnWithTheirVersion) {
  for (const Turn& turn : kTurns) {
    EXPECT_FALSE(git_rules(turn.before).*turn.rule) << turn.name;
    EXPECT_TRUE(git_rules(turn.since).*turn.rule) << turn.name;
  }
  EXPECT_EQ(git_rules({2, 32, 7}).default_rename_limit, 400);
  EXPECT_EQ(git_rules({2, 33, 0}).default_rename_limit, 1000);
}

TEST(GitRules, OfTheNewestAreTheDefault) {
  EXPECT_EQ(git_rules({2, 55, 0}), GitRules());
  EXPECT_EQ(git_rules({3, 0, 0}), GitRules());
}

TEST(GitRules, AnOldGitIsNamedWithTheOneNeeded) {
  EXPECT_TRUE(check_git_version(kOldestGit).ok());
  const Result<void> old = check_git_version({2, 20, 5});
  ASSERT_FALSE(old.ok());
  EXPECT_EQ(old.error().message, "git 2.20.5 is too old: git 2.26.0 or newer is needed");
}

}  // namespace
}  // namespace resident
