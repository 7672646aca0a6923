// Lists the files whose stat changes when a submodule's state may have changed. These are files in
// its git directory and files named by its config. Its nested submodules are included, at any
// depth. Files in its worktree are not included.
#pragma once

#include <string>
#include <vector>

#include "filter/outside_programs.h"
#include "fs/file_system.h"
#include "hash/object_id.h"

namespace resident {

struct SubmoduleFiles {
  std::vector<std::string> paths;  // may contain missing files
  // False if the list is incomplete. Either an index is unreadable and may have submodules, or
  // core.worktree names another worktree.
  bool complete = true;
  // The programs that the submodules' own configs name now.
  OutsidePrograms programs = {};
};

// The files by which the config of the user and of the system affects a submodule. They can differ
// from those of the surrounding repository, whose own config can name others.
struct FilesAroundSubmodules {
  std::vector<std::string> paths;  // relative paths are resolved in each worktree
  // Included configs without effect in the surrounding repository. Their conditions can be true in
  // the submodule.
  std::vector<std::string> unread_configs;
};

// `path` is the submodule's directory, absolute.
SubmoduleFiles submodule_files(FileSystem& fs, const std::string& path, HashAlgorithm algorithm,
                               const FilesAroundSubmodules& around = {});

}  // namespace resident
