// Computes git status's untracked and ignored paths from the directory nodes, for each mode.
//
// Nodes have every untracked path. git's normal mode collapses a directory without tracked files to
// "name/", and has its own rules for ignored paths. Ignored directories have no nodes. If a mode
// depends on their contents, they are read now.
//
// A limit changes more than the set of printed paths. A directory that leads to the limit's paths
// is not collapsed. A directory with nothing within the limit does not count as untracked. An
// ignored one without such paths is not read.
//
// The cost depends on the number of listed paths: a subtree with nothing to list is skipped until
// it changes (DirectoryNode::has_nothing_to_list).
//
// Threads: the owner of the nodes.
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
  // Sorted by bytes; directories end in '/'.
  std::vector<std::string> untracked;
  std::vector<std::string> ignored;
  // git warns on standard error that it cannot read a directory or an ignore file.
  bool git_warns = false;
};

struct UntrackedRequest {
  UntrackedMode untracked = UntrackedMode::kNormal;
  IgnoredMode ignored = IgnoredMode::kNo;
  PathLimit limit = {};
  bool ignore_case = false;  // core.ignoreCase
  // Reads all of an ignored directory that git reads, even if its first file is enough. Used to
  // find unreadable directories.
  bool everywhere = false;
};

// `root` is the absolute path of the worktree. kUnsupported if an unreadable directory leads to all
// paths of the limit: git skips that directory.
Result<UntrackedLists> untracked_view(FileSystem& fs, const std::string& root, const Index& index,
                                      const DirectoryNode& top, const UntrackedRequest& request);

}  // namespace resident
