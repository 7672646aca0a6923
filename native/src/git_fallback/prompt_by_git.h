// What a prompt shows where git answers: as git's commands say it.
//
// What each of them says is kept by GitDelegate until something changes, so that git runs once for
// each command and change, however often a prompt is shown. Those that depend on no other are asked
// together.
//
// Threads: the model's owner.
#pragma once

#include "fs/file_system.h"
#include "git_fallback/git_delegate.h"
#include "prompt/prompt_status.h"
#include "repo_state/background_git.h"

namespace resident {

// Without `worktree`. kPending: it is to be called again once git has answered. kCorrupt where git
// refuses.
Result<PromptStatus> prompt_by_git(FileSystem& fs, const PromptQuery& query,
                                   const BackgroundGit& git, GitDelegate& delegate);

}  // namespace resident
