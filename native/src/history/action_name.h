// The git operation in progress, in the words that prompts use: "merge", "rebase-i 2/5".
//
// Source: the words are those of zsh's vcs_info, which gitstatusd's protocol uses too. The files
// are those of git's wt-status.c (wt_status_check_rebase), sequencer.c and builtin/am.c.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "history/operation_sources.h"

namespace resident {

// Returns "" if no operation is in progress. Never fails: an unreadable file counts as missing.
std::string action_name(const OperationSources& sources);

// The same. `has_ref` returns whether the worktree has this ref, broken or not.
std::string action_name(const OperationFiles& files,
                        const std::function<bool(const char* name)>& has_ref);

// The files whose stat decides action_name(), existing or not.
std::vector<std::string> action_files(const OperationSources& sources);

// The progress of a rebase or am: "2/5". Empty if neither runs or its files name no step. Never
// fails.
std::string read_operation_step(const OperationSources& sources);
std::vector<std::string> operation_step_files(const OperationSources& sources);

}  // namespace resident
