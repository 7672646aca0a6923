// Finds how a tracked file differs from the index.
#pragma once

#include "explain/explain.h"

namespace resident {

// Explains the stage 0 entry at `position`, whose path is `explanation.path`. The file at this path
// has the stat `stat`. Sets differences and worktree_mode.
void explain_difference(const ExplainContext& context, const Directory& root, uint32_t position,
                        const std::optional<FileStat>& stat, Explanation& explanation);

}  // namespace resident
