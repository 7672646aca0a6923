// The .gitignore of one directory.
//
// Source: git's dir.c (add_patterns, prep_exclude).
#pragma once

#include <string_view>

#include "status/scan.h"

namespace resident {

inline constexpr std::string_view kGitignore = ".gitignore";

// Sets the patterns of `node` from `gitignore` in the open directory. If the file is not checked
// out (skip-worktree), the index's content is used. Null without a file.
void read_patterns(const ScanContext& context, DirectoryNode& node, const Directory& directory,
                   std::string_view gitignore);

}  // namespace resident
