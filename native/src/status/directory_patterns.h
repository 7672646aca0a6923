// The .gitignore of one directory.
//
// Source: git's dir.c (add_patterns, prep_exclude).
#pragma once

#include <string_view>

#include "status/scan.h"

namespace resident {

inline constexpr std::string_view kGitignore = ".gitignore";

// Sets the rules of `node` from the .gitignore at `gitignore` in the open directory: the worktree's
// file, or, where it is not checked out (skip-worktree), the index's. Null without one.
void read_patterns(const ScanContext& context, DirectoryNode& node, const Directory& directory,
                   std::string_view gitignore);

}  // namespace resident
