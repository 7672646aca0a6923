// The untracked and ignored paths that git status shows, in each of its modes, from the directory
// nodes.
//
// Nodes hold every untracked path one by one; git collapses a directory without tracked files to
// "name/" in the normal mode, and what is ignored by rules of its own. Ignored directories are not
// kept resident: where a mode depends on what is in them, they are read now.
//
// Source: git's dir.c (treat_directory, read_directory_recursive) and wt-status.c
// (wt_status_collect_untracked).
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"
#include "worktree/directory_node.h"
#include "worktree/status.h"

namespace resident {

struct UntrackedLists {
  // In byte order; directories end in '/'.
  std::vector<std::string> untracked;
  std::vector<std::string> ignored;
};

// `root` is the absolute path of the worktree.
UntrackedLists untracked_view(FileSystem& fs, const std::string& root, const Index& index,
                              const DirectoryNode& top, UntrackedMode untracked,
                              IgnoredMode ignored);

}  // namespace resident
