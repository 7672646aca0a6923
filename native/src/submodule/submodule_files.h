// The files whose stat tells whether a submodule may stand otherwise than when it was asked: those
// in its git directory and those that its config names, and the same of the submodules below it, to
// any depth. What happens to the files in its worktree is for others to see.
#pragma once

#include <string>
#include <vector>

#include "filter/outside_programs.h"
#include "fs/file_system.h"
#include "hash/object_id.h"

namespace resident {

struct SubmoduleFiles {
  std::vector<std::string> paths;  // of files that need not be there
  // False where something is not covered: an index could not be read, and there may be submodules
  // below; or core.worktree makes files elsewhere its worktree.
  bool complete = true;
  // Those that the submodules' own configs name, as they are now.
  OutsidePrograms programs = {};
};

// By what the config of the user and of the system decides in a submodule: that need not be by what
// it does in the repository around it, whose own config can name others.
struct FilesAroundSubmodules {
  std::vector<std::string> paths;  // what is not absolute is in each worktree
  // Files that it includes, and of which nothing holds in the repository around: by their
  // conditions they can in the submodule.
  std::vector<std::string> unread_configs;
};

// `path` is the submodule's directory, absolute.
SubmoduleFiles submodule_files(FileSystem& fs, const std::string& path, HashAlgorithm algorithm,
                               const FilesAroundSubmodules& around = {});

}  // namespace resident
