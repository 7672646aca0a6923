// What git is in the middle of, as the long format of `git status` tells it.
//
// Source: git's wt-status.c (wt_status_get_state) and sequencer.c, builtin/commit.c
// (determine_whence).
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "history/operation_sources.h"
#include "refs/ref_store.h"

namespace resident {

// Read anew with every call: a few stats where git is in the middle of nothing. `head` is what
// refs.head() said. kUnsupported where only git can tell.
Result<OperationState> read_operation_state(const Head& head, const OperationSources& sources);

}  // namespace resident
