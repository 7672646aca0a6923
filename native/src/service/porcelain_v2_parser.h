// Reads what `git status --porcelain=v2 -z` prints, for answers that only git itself can compute.
#pragma once

#include <string_view>

#include "base/result.h"
#include "worktree/status.h"

namespace resident {

// With or without --branch, --show-stash and --ignored. The inverse of print_status for version 2
// with -z; kCorrupt for anything else. One thing version 2 does not tell: what
// HEAD names where that is outside refs/heads/ (`name` is then "(null)").
Result<StatusResult> parse_porcelain_v2(std::string_view text);

}  // namespace resident
