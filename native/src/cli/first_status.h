// Runs the `git status` that makes the next ones fast, once git asks us for changes.
#pragma once

#include <string>

#include "base/result.h"
#include "repository/repository.h"

namespace resident {

// Whether a process keeps the worktree, with the current config.
bool is_kept(const std::string& worktree);

// Runs `git status` until the index has a token for which git gets only the changes. This takes one
// run, or two if the index had an untracked cache before. git shows its own progress on standard
// error. A signal to our process group ends git too.
Result<void> run_first_status(const Repository& repository);

// Asks the user at the terminal whether to run it now. Returns false without a terminal.
bool ask_for_first_status();

}  // namespace resident
