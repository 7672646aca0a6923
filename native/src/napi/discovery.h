// Which worktrees a folder of the editor's workspace shows.
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

struct Discovery {
  struct Problem {
    std::string path;
    std::string message;
  };
  // The worktree that contains the path, then those at most `depth` levels below it, as git accepts
  // them; each once, by its real path.
  std::vector<std::string> roots;
  // What was found and cannot be opened or looked into.
  std::vector<Problem> problems;
};

// `path` is absolute: a folder, or a file, which stands for its folder. Spawns git once for each
// worktree; blocks. Threads: any.
Discovery discover_worktrees(FileSystem& fs, const std::string& path, int depth);

}  // namespace resident
