// The todo lists of an interactive rebase: rebase-merge/done and rebase-merge/git-rebase-todo.
//
// Source: git's wt-status.c (read_rebase_todolist) and Documentation/git-rebase.txt.
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "history/operation_sources.h"

namespace resident {

// Fails with kUnsupported if only git can format a line or the name of the list.
Result<RebaseTodo> read_rebase_todo(const OperationSources& sources);

}  // namespace resident
