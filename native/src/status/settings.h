// Settings for the comparison of worktree and index: config values with git's defaults, and rules
// of the installed git version.
#pragma once

namespace resident {

struct WorktreeSettings {
  bool trust_ctime = true;       // core.trustctime
  bool check_stat = true;        // core.checkStat is not "minimal"
  bool compare_inodes = true;    // Capabilities::inodes
  bool trust_file_mode = true;   // core.fileMode
  bool has_symlinks = true;      // core.symlinks
  bool ignore_case = false;      // core.ignoreCase
  bool glob_sees_prefix = true;  // PatternMatching::glob_sees_prefix
  // core.sparseCheckout without sparse.expectFilesOutsideOfPatterns: an entry that is marked
  // skip-worktree but exists on disk counts as unmarked.
  bool unskip_present = false;

  friend bool operator==(const WorktreeSettings&, const WorktreeSettings&) = default;
};

}  // namespace resident
