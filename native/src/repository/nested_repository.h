// Tests whether a directory is the worktree of another repository. git shows such a directory as
// one path.
//
// Source: git's setup.c (is_nonbare_repository_dir, is_git_directory, read_gitfile_gently).
#pragma once

#include <string>

#include "fs/file_system.h"

namespace resident {

// `directory` is an absolute path without a slash at the end.
bool is_nested_repository(FileSystem& fs, const std::string& directory);

// True if `path` has the form of a git directory: a valid HEAD, objects and refs.
bool is_git_directory(FileSystem& fs, const std::string& path);

// Returns `<directory>/.git`, or the target of this gitfile. The result need not be a git
// directory. Empty: missing or malformed.
std::string named_git_directory(FileSystem& fs, const std::string& directory);

// Like named_git_directory(), but empty if the result is no git directory.
std::string git_directory_of(FileSystem& fs, const std::string& directory);

// Returns the directory with the objects, refs and config of `git_dir`. A linked worktree shares
// another repository's.
std::string common_directory_of(FileSystem& fs, const std::string& git_dir);

}  // namespace resident
