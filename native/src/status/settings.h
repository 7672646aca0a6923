// What decides how worktree and index are compared: config values, with git's defaults, and what
// the git on PATH makes of them.
#pragma once

namespace resident {

struct WorktreeSettings {
  bool trust_ctime = true;       // core.trustctime
  bool check_stat = true;        // core.checkStat is not "minimal"
  bool trust_file_mode = true;   // core.fileMode
  bool has_symlinks = true;      // core.symlinks
  bool ignore_case = false;      // core.ignoreCase
  bool glob_sees_prefix = true;  // PatternMatching's
  // core.sparseCheckout without sparse.expectFilesOutsideOfPatterns: an entry that is marked
  // skip-worktree and is there all the same counts as if it were not marked.
  bool unskip_present = false;
};

}  // namespace resident
