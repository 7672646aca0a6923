// Finds worktrees below a folder, and compares paths by component.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"

namespace resident {

// True if `path` is `root` or lies below it. Both are absolute, without a slash at the end: "/a/bc"
// is not within "/a/b".
bool path_is_within(std::string_view path, std::string_view root);

struct RepositorySearch {
  struct Problem {
    std::string path;
    std::string message;  // names the path and the reason
  };
  // Directories that contain a `.git`, in byte order. Only discover() knows whether git accepts
  // them.
  std::vector<std::string> roots;
  std::vector<Problem> problems;  // unreadable directories
};

// Searches `path` and the folders at most `depth` levels below it (0: only `path`). Never follows
// symbolic links, and never enters `.git` or `node_modules`. Finds repositories inside worktrees
// too. Keeps one directory open per level.
RepositorySearch find_repositories(FileSystem& fs, const std::string& path, int depth);

}  // namespace resident
