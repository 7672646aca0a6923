// Repository: the paths of a worktree and its parts, as found by git.
//
// discover() asks git, so that all rules of discovery are git's own:
// - GIT_DIR and similar variables, ceilings, safe.directory
// - core.worktree, linked worktrees, submodules, separate git directories
//
// Threads: any.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "git/git_runner.h"
#include "hash/object_id.h"

namespace resident {

// All paths are absolute, without a slash at the end.
struct Repository {
  std::string worktree;     // the root, without symbolic links
  std::string git_dir;      // this worktree's: HEAD, index
  std::string common_dir;   // shared by linked worktrees: config, refs; equals git_dir without them
  std::string index_path;   // respects GIT_INDEX_FILE
  std::string objects_dir;  // respects GIT_OBJECT_DIRECTORY
  HashAlgorithm algorithm = HashAlgorithm::kSha1;
  // The path of the discovery directory below the root: "" at the root, else "sub/dir/".
  std::string prefix;
  friend bool operator==(const Repository&, const Repository&) = default;
};

// git's refusal, verbatim.
struct GitRefusal {
  int exit_code = 0;
  std::string err;
};

// Finds the worktree that holds `from_directory` ("": this process's working directory). Runs git
// once. `refusal`, if given, is set when git ran and refused. Errors:
// - kIo: this git is too old
// - kNotFound: no repository here
// - kUnsafe: owned by someone else (safe.directory)
// - kInvalid: a bare repository or a git directory, without a worktree
// - kCorrupt: git cannot read the repository; the message is git's
Result<Repository> discover(const std::string& from_directory, GitRefusal* refusal = nullptr);

// The same in two steps, for an explicit directory: the command for git, and the result of its
// output.
GitCommand discovery_command(const std::string& from_directory);
Result<Repository> discovered(const std::string& from_directory, const GitOutput& said,
                              GitRefusal* refusal = nullptr);

// Finds the same root without git in plain cases. Use it to find a resident process quickly;
// discover() is the reliable way. Returns nullopt if only git can answer, for one of these reasons:
// - a relevant GIT_* variable is set
// - another owner
// - another file system on the way
// - a core.worktree, except for a submodule's
// - anything unusual
std::optional<std::string> quick_worktree_root(FileSystem& fs, const std::string& from_directory);
// Like quick_worktree_root(), with discover() as the fallback.
Result<std::string> worktree_root(FileSystem& fs, const std::string& from_directory);

}  // namespace resident
