// Path of the socket for questions about one worktree, in a directory that only its user can enter.
#pragma once

#include <string>

#include "base/result.h"

namespace resident {

// `$XDG_RUNTIME_DIR/git-resident/<hash of root>`; without that variable in /tmp. Creates the
// directory with mode 0700. The user must own it. `root` is the real path of the worktree.
Result<std::string> socket_path(const std::string& root);

}  // namespace resident
