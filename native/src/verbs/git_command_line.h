// Classifies the git that runs a hook by its command line (command_line_of() in os/process.h).
//
// Source: git(1) for options before the command. An alias or a dashed form is unknown.
#pragma once

#include <string_view>

namespace resident {

// True if this git command does not write and stage .gitmodules itself, as `git mv` and `git rm`
// do. False: it does so, or the command is unknown.
bool keeps_modules(std::string_view command_line);

// True if this git command may compare a tree with files of the worktree, as `git diff HEAD` and
// `git diff-index` do. False for a program other than git.
bool may_diff_tree(std::string_view command_line);

}  // namespace resident
