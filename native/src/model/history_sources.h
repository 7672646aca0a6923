// The sources from which a model reads the history of its worktree.
#pragma once

#include "history/branch_status.h"
#include "history/operation_sources.h"
#include "model/model_view.h"

namespace resident {

// Both results hold references into `view`.
BranchSources branch_sources(const ModelView& view);
OperationSources operation_sources(const ModelView& view);

}  // namespace resident
