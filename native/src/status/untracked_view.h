// The untracked and ignored paths that git status shows, in each of its modes, from the directory
// nodes.
//
// Nodes hold every untracked path one by one; git collapses a directory without tracked files to
// "name/" in the normal mode, and what is ignored by rules of its own. Ignored directories are not
// kept resident: where a mode depends on what is in them, they are read now.
//
// A limit decides more than which paths are shown: a directory that is on the way to what the limit
// names is not collapsed, one that holds nothing within it does not count as untracked, and of an
// ignored one it is not asked at all.
//
// The cost follows what there is to list: a part of the tree where nothing was found is gone past
// until something in it changes (DirectoryNode::has_nothing_to_list).
//
// Threads: the one that owns the nodes.
//
// Source: git's dir.c (treat_directory, read_directory_recursive) and wt-status.c
// (wt_status_collect_untracked).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "diff/path_limit.h"
#include "fs/file_system.h"
#include "status/directory_node.h"
#include "status/status.h"

namespace resident {

struct UntrackedLists {
  // In byte order; directories end in '/'.
  std::vector<std::string> untracked;
  std::vector<std::string> ignored;
  // git says on standard error that it cannot read a directory or an ignore file.
  bool git_warns = false;
};

struct UntrackedRequest {
  UntrackedMode untracked = UntrackedMode::kNormal;
  IgnoredMode ignored = IgnoredMode::kNo;
  PathLimit limit = {};
  bool ignore_case = false;  // core.ignoreCase
  // Goes into all of an ignored directory that git goes into, though its first file says enough:
  // to learn what cannot be read there.
  bool everywhere = false;
};

// `root` is the absolute path of the worktree. kUnsupported where a directory that cannot be read
// lies on the way to all that the limit names: git goes past it.
Result<UntrackedLists> untracked_view(FileSystem& fs, const std::string& root, const Index& index,
                                      const DirectoryNode& top, const UntrackedRequest& request);

}  // namespace resident
