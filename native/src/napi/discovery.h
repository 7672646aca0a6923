// Finds the worktrees that a folder of the editor's workspace shows.
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
  // First the worktree that contains the path, then the worktrees at most `depth` levels below it.
  // Only worktrees that git accepts are listed, each once, by its real path.
  std::vector<std::string> roots;
  // Repositories and folders that were found but cannot be opened or read.
  std::vector<Problem> problems;
};

// `path` is absolute: a folder, or a file, which means its folder. Spawns git once per worktree.
// Blocks. Threads: any.
Discovery discover_worktrees(FileSystem& fs, const std::string& path, int depth);

}  // namespace resident
