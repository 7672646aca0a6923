// What can be told of the git that runs a hook by the words that it was started with.
//
// Source: git(1) for options before the command; alias and dashed forms tell nothing.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace resident {

// The words of a process, each ending in NUL; "" where they cannot be read. Of very many the first.
std::string command_line_of(pid_t process);

// Whether these words are of a git command that does not write .gitmodules itself and stage it, as
// `git mv` and `git rm` do. False: it does, or it is not known.
bool keeps_modules(std::string_view command_line);

// Whether these words are of a git command that compares a tree with files of the worktree, as `git
// diff HEAD` and `git diff-index` do, or may be. False of what is not git.
bool may_diff_tree(std::string_view command_line);

}  // namespace resident
