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
#include "hash/object_id.h"
#include "status/status.h"

namespace resident {

struct SubmoduleLook {
  SubmoduleState state;
  bool git_warns = false;  // git says something about it on standard error, or gives up on it
};

// Answers `git status --porcelain=v2 --branch` in the submodule at that absolute path.
using SubmoduleStatus = std::function<Result<StatusResult>(const std::string& path)>;

// By git itself, which runs the filters and the file system monitor that the submodule's config
// names.
Result<StatusResult> ask_git_in_submodule(const std::string& path);

// `path` is the submodule's directory, absolute; `in_index` the commit that the index names. A
// directory that is no repository is unchanged.
Result<SubmoduleLook> look_at_submodule(FileSystem& fs, const std::string& path,
                                        const ObjectId& in_index, const SubmoduleStatus& ask);

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
