// The place that a detached HEAD came from, read from HEAD's reflog.
//
// Source: git's wt-status.c (wt_status_get_detached_from).
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "history/operation_sources.h"
#include "refs/ref_store.h"

namespace resident {

struct DetachedFrom {
  std::string name;  // a tag, a branch or an abbreviated commit
  bool moved = false;
};

// Fails with kUnsupported if git warns about a ref during this lookup. git does the lookup even if
// its output does not show the result.
Result<void> check_detached_from(const OperationSources& sources);

// Returns nullopt if the reflog has no checkout. Fails with kUnsupported if only git can tell.
Result<std::optional<DetachedFrom>> read_detached_from(const Head& head,
                                                       const OperationSources& sources);

}  // namespace resident
