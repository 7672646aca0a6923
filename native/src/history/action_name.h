// What git is in the middle of, in the words that prompts use: "merge", "rebase-i 2/5".
//
// Source: the words of zsh's vcs_info as gitstatusd's protocol has them; the files are those of
// git's wt-status.c (wt_status_check_rebase), sequencer.c and builtin/am.c.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "history/operation_sources.h"

namespace resident {

// Empty where git is in the middle of nothing. Never fails: what cannot be read is not told.
std::string action_name(const OperationSources& sources);

// The same; `has_ref`: whether the worktree has this ref, broken or not.
std::string action_name(const OperationFiles& files,
                        const std::function<bool(const char* name)>& has_ref);

// The files whose stat decides it, existing or not.
std::vector<std::string> action_files(const OperationSources& sources);

// "2/5", how far a rebase or am is; empty in neither, and where its files do not say. As above.
std::string read_operation_step(const OperationSources& sources);
std::vector<std::string> operation_step_files(const OperationSources& sources);

}  // namespace resident
