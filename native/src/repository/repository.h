// Repository: where one worktree and its parts are, as git itself finds them.
//
// discover() asks git, so that every rule of discovery is git's own: GIT_DIR and its kin, ceilings,
// safe.directory, core.worktree, linked worktrees, submodules, separate git directories.
//
// Threads: any.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "git/git_runner.h"
#include "hash/object_id.h"

namespace resident {

// All paths are absolute, without a slash at the end.
struct Repository {
  std::string worktree;    // the root, without symbolic links
  std::string git_dir;     // this worktree's: HEAD, index
  std::string common_dir;  // shared by linked worktrees: config, refs; git_dir where there are none
  std::string index_path;  // GIT_INDEX_FILE honoured
  std::string objects_dir;  // GIT_OBJECT_DIRECTORY honoured
  HashAlgorithm algorithm = HashAlgorithm::kSha1;
  // Of the directory it was discovered from: "" at the root, else "sub/dir/".
  std::string prefix;
  friend bool operator==(const Repository&, const Repository&) = default;
};

// What git said when it refused, word by word.
struct GitRefusal {
  int exit_code = 0;
  std::string err;
};

// The worktree that holds `from_directory` ("": this process's working directory). One spawn of
// git. kIo: that git is too old; kNotFound: no repository here; kUnsafe: owned by someone else
// (safe.directory); kInvalid: a bare repository or a git directory, which has no worktree;
// kCorrupt: git cannot read it; the message is git's. `refusal`, where given, is filled when git
// ran and refused.
Result<Repository> discover(const std::string& from_directory, GitRefusal* refusal = nullptr);

// The same in two steps, for a directory that is named: what git is asked, and what it says.
GitCommand discovery_command(const std::string& from_directory);
Result<Repository> discovered(const std::string& from_directory, const GitOutput& said,
                              GitRefusal* refusal = nullptr);

// The same root for the plain cases without asking git, or nullopt where it takes git to tell: a
// GIT_* variable that matters is set, another owner, another file system on the way, a
// core.worktree other than that of a submodule, anything unusual. For finding a resident process
// quickly; who must be right asks discover().
std::optional<std::string> quick_worktree_root(const std::string& from_directory);
// The same, and where that cannot tell as discover() does.
Result<std::string> worktree_root(const std::string& from_directory);

}  // namespace resident
