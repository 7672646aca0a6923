// Finding worktrees below a folder, and comparing paths by component.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"

namespace resident {

// True where `path` is `root` or lies below it. Both absolute, without a slash at the end: "/a/bc"
// is not within "/a/b".
bool path_is_within(std::string_view path, std::string_view root);

struct RepositorySearch {
  struct Problem {
    std::string path;
    std::string message;  // names the path and the reason
  };
  // Directories that hold a `.git`, in byte order. Whether git accepts them is discover()'s to
  // tell.
  std::vector<std::string> roots;
  std::vector<Problem> problems;  // what could not be looked into
};

// Looks in `path` and in the folders at most `depth` levels below it (0: only `path`). Never
// follows symbolic links, never enters `.git` or `node_modules`; repositories inside worktrees are
// found. Holds one open directory per level.
RepositorySearch find_repositories(FileSystem& fs, const std::string& path, int depth);

}  // namespace resident
