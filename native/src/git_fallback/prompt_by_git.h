// A prompt's contents, from git's own commands. Used while git answers.
//
// GitDelegate keeps each command's output until something changes. git therefore runs once per
// command and change, however often a prompt is shown. Independent commands are asked together.
//
// Threads: the model's owner.
#pragma once

#include "fs/file_system.h"
#include "git_fallback/git_delegate.h"
#include "prompt/prompt_status.h"
#include "repo_state/background_git.h"

namespace resident {

// Fills all fields but `worktree`. kPending: call again once git has answered. kCorrupt: git
// refuses.
Result<PromptStatus> prompt_by_git(FileSystem& fs, const PromptQuery& query,
                                   const BackgroundGit& git, GitDelegate& delegate);

}  // namespace resident
