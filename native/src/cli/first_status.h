// The `git status` that makes the next ones fast, once git asks us what changed.
#pragma once

#include <string>

#include "base/result.h"
#include "repository/repository.h"

namespace resident {

// Whether a process keeps the worktree, with the config as it is now.
bool is_kept(const std::string& worktree);

// Runs `git status` until the index has a token for which git is told only the changes: once, or
// twice where the index had an untracked cache before. git shows its own progress on standard
// error. A signal to our process group ends git too.
Result<void> run_first_status(const Repository& repository);

// Whether somebody at the terminal wants that now; false without a terminal.
bool ask_for_first_status();

}  // namespace resident
