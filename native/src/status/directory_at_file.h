// State of a directory that replaces a tracked file. git treats it as a submodule if it is a
// repository whose HEAD has a commit. Otherwise the file counts as deleted.
//
// Source: git's diff-lib.c (check_removed) and refs.c (repo_resolve_gitlink_ref).
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"
#include "status/entry_state.h"

namespace resident {

// `directory` is an absolute path without a slash at the end. Returns absent, present as a gitlink,
// or unanswerable.
EntryState directory_at_file_state(FileSystem& fs, const std::string& directory);

// Files, existing or not, whose stat shows that the state may have changed. Only files that no
// watch of the directory or of its .git covers.
std::vector<std::string> directory_at_file_files(FileSystem& fs, const std::string& directory);

}  // namespace resident
