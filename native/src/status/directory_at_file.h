// What a directory is to git that stands where the index has a file: a submodule to be, if it is a
// repository whose HEAD leads to a commit; else nothing, and the file is gone.
//
// Source: git's diff-lib.c (check_removed) and refs.c (repo_resolve_gitlink_ref).
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"
#include "status/entry_state.h"

namespace resident {

// `directory` is an absolute path without a slash at the end. Absent, present as a gitlink, or
// unanswerable.
EntryState directory_at_file_state(FileSystem& fs, const std::string& directory);

// Files whose stat tells that it may be another one, existing or not: those that no watch of the
// directory and of its .git tells of.
std::vector<std::string> directory_at_file_files(FileSystem& fs, const std::string& directory);

}  // namespace resident
