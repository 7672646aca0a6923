// Which object directories belong to a repository: its own, and those that it borrows from.
//
// Source: git's Documentation/gitrepository-layout.txt (objects/info/alternates) and git.txt
// (GIT_ALTERNATE_OBJECT_DIRECTORIES).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace resident {

struct ObjectDirectories {
  std::vector<std::string> paths;  // the repository's own first, then alternates in git's order
  std::vector<Error> problems;     // alternates left out, and why; git too goes on without them
};

// `environment` is the value of GIT_ALTERNATE_OBJECT_DIRECTORIES, empty if unset; relative paths in
// it start at the current directory, those in an alternates file at that file's object directory.
ObjectDirectories find_object_directories(const std::string& objects_dir,
                                          std::string_view environment);

// The paths in a list: separated by `separator`, '#' starting a comment, and a path that starts
// with '"' quoted as in C (what is no valid quoting is taken as it stands).
std::vector<std::string> parse_alternates(std::string_view text, char separator);

}  // namespace resident
