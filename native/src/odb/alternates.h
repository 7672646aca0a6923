// Finds the object directories of a repository: its own and its alternates.
//
// Source: git's Documentation/gitrepository-layout.txt (objects/info/alternates) and git.txt
// (GIT_ALTERNATE_OBJECT_DIRECTORIES).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"

namespace resident {

struct ObjectDirectories {
  std::vector<std::string> paths;  // the repository's own first, then alternates in git's order
  std::vector<Error> problems;     // why alternates were skipped; git skips them too
};

// `environment` is the value of GIT_ALTERNATE_OBJECT_DIRECTORIES; empty: unset. Its relative paths
// are relative to the current directory. Relative paths in an alternates file are relative to the
// object directory that holds the file.
ObjectDirectories find_object_directories(FileSystem& fs, const std::string& objects_dir,
                                          std::string_view environment);

// Splits a list of paths at `separator`. Entries that start with '#' are comments. A path that
// starts with '"' is quoted as in C; a malformed quoted path is taken literally.
std::vector<std::string> parse_alternates(std::string_view text, char separator);

}  // namespace resident
