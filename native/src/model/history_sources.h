// What the history of a model's worktree is read from.
#pragma once

#include "history/branch_status.h"
#include "history/operation_sources.h"
#include "model/model_view.h"

namespace resident {

// Both refer to what `view` does.
BranchSources branch_sources(const ModelView& view);
OperationSources operation_sources(const ModelView& view);

}  // namespace resident
