// How submodules stand, asked in each one, as git status itself does.
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
  bool git_warns = false;  // git says something about it on standard error, or gives up on it
};

// git's status in the submodule at `path`, in two steps: what it is asked, and what it says. git
// runs the filters and the file system monitor that the submodule's config names.
GitCommand submodule_status_command(const std::string& path);
Result<StatusResult> submodule_status(const std::string& path, const GitOutput& said);

// How the submodule at `path` stands, where that takes no question: a directory that is no
// repository is unchanged. nullopt: its status has to be asked.
std::optional<SubmoduleLook> examine_without_git(FileSystem& fs, const std::string& path);
// As its status has it. `in_index`: the commit that the index names.
Result<SubmoduleLook> examine_by_status(const std::string& path, const ObjectId& in_index,
                                        const StatusResult& status);

// A status of it without git running there, where nothing that the repository's config names may be
// run.
class SubmoduleScan {
 public:
  virtual ~SubmoduleScan() = default;
  // kPending: to be called again once git, asked about other things, has answered.
  virtual Result<StatusResult> go_on() = 0;
  // What git is asked for it that its owner does not know of.
  virtual std::optional<GitTasks::Awaited> awaited() const = 0;
};

// What stands in for a .gitmodules that is not on disk. One that the index has at several stages
// says nothing, on disk or not.
enum class StoredGitmodules { kNone, kUnmerged, kIndex, kHead };

// submodule.<name>.ignore of .gitmodules and config, by the submodule's path.
class SubmoduleIgnores {
 public:
  // `worktree` is the root, whose .git need not lead to `git_dir`. .gitmodules is read by git.
  // kUnsupported where git gives up on it.
  static Result<SubmoduleIgnores> load(FileSystem& fs, const std::string& worktree,
                                       const std::string& git_dir, const Config& config,
                                       StoredGitmodules stored);
  // The same in two steps: what git is asked, if anything, and what is made of its answer.
  static std::optional<GitCommand> command(FileSystem& fs, const std::string& worktree,
                                           const std::string& git_dir, StoredGitmodules stored);
  static Result<SubmoduleIgnores> from_git(const std::string& worktree, const Config& config,
                                           const std::optional<GitOutput>& said);

  // git complains about .gitmodules, or something in it.
  bool git_warns() const { return git_warns_; }

  // How much `query` and config hide of the submodule at `path`.
  IgnoreSubmodules mode(const std::string& path, const StatusQuery& query) const;
  // What `query` and config leave visible of a submodule's state; nullopt: nothing, not even new
  // commits.
  std::optional<SubmoduleState> visible(const std::string& path, SubmoduleState state,
                                        const StatusQuery& query) const;

 private:
  std::map<std::string, IgnoreSubmodules> by_path_;
  std::optional<IgnoreSubmodules> diff_ignore_submodules_;
  bool git_warns_ = false;
};

}  // namespace resident
