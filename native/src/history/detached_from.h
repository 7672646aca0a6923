// Where a detached HEAD came from, as HEAD's reflog tells.
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
  std::string name;  // of a tag or a branch, or an abbreviated commit
  bool moved = false;
};

// kUnsupported where git complains about a ref on its way to that: it looks whatever it shows.
Result<void> check_detached_from(const OperationSources& sources);

// nullopt where the reflog has no checkout. kUnsupported where only git can tell.
Result<std::optional<DetachedFrom>> read_detached_from(const Head& head,
                                                       const OperationSources& sources);

}  // namespace resident
