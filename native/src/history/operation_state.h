// The operations in progress, with the facts that the long format of `git status` prints.
//
// Source: git's wt-status.c (wt_status_get_state) and sequencer.c, builtin/commit.c
// (determine_whence).
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "history/operation_sources.h"
#include "refs/ref_store.h"

namespace resident {

// Reads the files with every call. The cost is a few stats if no operation is in progress. `head`
// is the result of refs.head(). Fails with kUnsupported if only git can tell.
Result<OperationState> read_operation_state(const Head& head, const OperationSources& sources);

}  // namespace resident
