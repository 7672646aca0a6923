// Is a directory the worktree of a repository of its own? git then shows it as one path.
//
// Source: git's setup.c (is_nonbare_repository_dir, is_git_directory, read_gitfile_gently).
#pragma once

#include <string>

#include "fs/file_system.h"

namespace resident {

// `directory` is an absolute path without a slash at the end.
bool is_nested_repository(FileSystem& fs, const std::string& directory);

// Does `path` look like a git directory: a HEAD that names something, objects and refs?
bool is_git_directory(FileSystem& fs, const std::string& path);

// What `<directory>/.git` is or points at, a git directory or not; empty where it is or names none.
std::string named_git_directory(FileSystem& fs, const std::string& directory);

// The same where it is a git directory; empty where it is none.
std::string git_directory_of(FileSystem& fs, const std::string& directory);

// Where a git directory's objects, refs and config are: elsewhere for a linked worktree.
std::string common_directory_of(FileSystem& fs, const std::string& git_dir);

}  // namespace resident
