// Where a resident process listens for questions about one worktree: a socket in a directory that
// only its user can enter.
#pragma once

#include <string>

#include "base/result.h"

namespace resident {

// `$XDG_RUNTIME_DIR/git-resident/<hash of root>`, or below /tmp where that is unset. The directory
// is made, with mode 0700, and must be owned by the user. `root` is the real path of the worktree.
Result<std::string> socket_path(const std::string& root);

}  // namespace resident
