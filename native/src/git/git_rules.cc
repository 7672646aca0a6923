#include "git/git_rules.h"

namespace resident {

Result<void> check_git_version(const GitVersion& version) {
  if (version >= kOldestGit) return {};
  return Error{ErrorCode::kIo, "git " + to_string(version) + " is too old: git " +
                                   to_string(kOldestGit) + " or newer is needed"};
}

GitRules git_rules(const GitVersion& version) {
  GitRules rules;
  const auto since = [&version](int major, int minor, int patch = 0) {
    return version >= GitVersion{major, minor, patch};
  };
  rules.counts_incomplete_chunk = since(2, 43, 2);
  rules.prefers_unique_basenames = since(2, 31);
  rules.default_rename_limit = since(2, 33) ? 1000 : 400;
  rules.glob_sees_prefix = since(2, 52);
  rules.passes_over_attribute_directories = since(2, 32);
  rules.walks_by_pathspec = since(2, 29);
  rules.unskips_present_files = since(2, 36);
  rules.folds_index_on_reading = since(2, 35);
  rules.tells_files_of_sparse_directories = since(2, 36);
  rules.advises_on_unfolding = since(2, 46);
  rules.quotes_spaces_everywhere = since(2, 29);
  rules.tells_stash_in_v2 = since(2, 35);
  rules.colors_null_terminated_letters = since(2, 51, 2);
  rules.looks_at_files_to_add = since(2, 29);
  rules.untracked_mode_may_be_boolean = since(2, 45);
  rules.comment_may_be_string = since(2, 45);
  rules.comment_auto_resets = since(2, 51);
  rules.abbrev_may_be_off = since(2, 31);
  rules.tracking_may_be_inherited = since(2, 35);
  rules.tracking_may_be_simple = since(2, 37);
  rules.fsmonitor_may_be_boolean = since(2, 36);
  rules.refspecs_may_be_negative = since(2, 29);
  rules.advice_by_environment = since(2, 46);
  rules.tells_sparse_checkout = since(2, 28);
  rules.tells_sparse_index = since(2, 33);
  rules.advises_am_allow_empty = since(2, 35);
  rules.points_to_help_when_slow = since(2, 40);
  rules.advises_to_integrate = since(2, 42);
  rules.names_commit_of_sequence = since(2, 42);
  rules.reads_attributes_outside_of_cone = since(2, 43);
  rules.diffs_trees_with_monitor = since(2, 43);
  rules.separates_bisected_branch = since(2, 43, 1);
  rules.trims_rebase_command = since(2, 52);
  rules.compares_with_push_branch = since(2, 54);
  rules.strips_head_of_remotes = since(2, 40);
  rules.reads_multi_pack_index_chains = since(2, 47);
  rules.reads_multi_pack_index_version_2 = since(2, 55);
  rules.describe_stops_at_last_candidate = since(2, 48);
  return rules;
}

Result<GitRules> current_git_rules() {
  RESIDENT_TRY(const GitVersion version, git_version());
  RESIDENT_CHECK(check_git_version(version));
  return git_rules(version);
}

}  // namespace resident
