// What of a tracked file is not as the index has it.
#pragma once

#include "explain/explain.h"

namespace resident {

// Of the entry of stage 0 at `position`, whose path is `explanation.path`. `stat`: what stands
// there. Fills differences and worktree_mode.
void explain_difference(const ExplainContext& context, const Directory& root, uint32_t position,
                        const std::optional<FileStat>& stat, Explanation& explanation);

}  // namespace resident
