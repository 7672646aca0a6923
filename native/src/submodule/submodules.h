// The state of submodules, from a status in each one, like in git status.
//
// Source: git's submodule.c (is_submodule_modified) and diff-lib.c (match_stat_with_submodule).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "fs/file_system.h"
#include "git/git_runner.h"
#include "git/git_tasks.h"
#include "hash/object_id.h"
#include "status/status.h"

namespace resident {

struct SubmoduleLook {
  SubmoduleState state;
  bool git_warns = false;  // git writes a message about it to standard error, or fails
};

// The status of the submodule at `path`, in two steps: the command, and the result of its output.
// Git runs the filters and the file system monitor that the submodule's config names.
GitCommand submodule_status_command(const std::string& path);
Result<StatusResult> submodule_status(const std::string& path, const GitOutput& said);

// The state of the submodule at `path` if no status is needed: a directory that is no repository is
// unchanged. Returns nullopt if a status is needed.
std::optional<SubmoduleLook> examine_without_git(FileSystem& fs, const std::string& path);
// Derives the state from the submodule's status. `in_index`: the commit in the index.
Result<SubmoduleLook> examine_by_status(const std::string& path, const ObjectId& in_index,
                                        const StatusResult& status);

// Computes a submodule's status without running git in it. Used if programs named by the
// repository's config must not run.
class SubmoduleScan {
 public:
  virtual ~SubmoduleScan() = default;
  // kPending: call it again after git has answered other requests.
  virtual Result<StatusResult> go_on() = 0;
  // A running request to git for this submodule that its owner does not know about.
  virtual std::optional<GitTasks::Awaited> awaited() const = 0;
};

// The source of .gitmodules if it is not on disk. If the index has .gitmodules at several stages,
// git ignores the file, even on disk.
enum class StoredGitmodules { kNone, kUnmerged, kIndex, kHead };

// The setting submodule.<name>.ignore from .gitmodules and config, by the submodule's path.
class SubmoduleIgnores {
 public:
  // `worktree` is the root; its .git need not lead to `git_dir`. git reads .gitmodules.
  // kUnsupported: git cannot read it.
  static Result<SubmoduleIgnores> load(FileSystem& fs, const std::string& worktree,
                                       const std::string& git_dir, const Config& config,
                                       StoredGitmodules stored);
  // The same in two steps: the command for git, if one is needed, and the result of its output.
  static std::optional<GitCommand> command(FileSystem& fs, const std::string& worktree,
                                           const std::string& git_dir, StoredGitmodules stored);
  static Result<SubmoduleIgnores> from_git(const std::string& worktree, const Config& config,
                                           const std::optional<GitOutput>& said);

  // git warns about .gitmodules or an entry in it.
  bool git_warns() const { return git_warns_; }

  // How much `query` and config hide of the submodule at `path`.
  IgnoreSubmodules mode(const std::string& path, const StatusQuery& query) const;
  // The part of a submodule's state that `query` and config leave visible. nullopt: nothing, not
  // even new commits.
  std::optional<SubmoduleState> visible(const std::string& path, SubmoduleState state,
                                        const StatusQuery& query) const;

 private:
  std::map<std::string, IgnoreSubmodules> by_path_;
  std::optional<IgnoreSubmodules> diff_ignore_submodules_;
  bool git_warns_ = false;
};

}  // namespace resident
