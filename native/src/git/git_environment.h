// The environment for git: this process's environment with changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace resident {

// Set for every git that this process runs. Our own hook (core.fsmonitor) then does not answer: it
// would only ask this process in turn.
inline constexpr std::string_view kAskedByUs = "RESIDENT_GIT_ASKS";

// Returns the complete environment, always with GIT_OPTIONAL_LOCKS=0 and kAskedByUs. In `changes`,
// "NAME=value" replaces or adds a variable, and "NAME" removes it. The last change of a name wins.
// The environment is read without a lock, like in execvp: no other thread may call setenv
// meanwhile.
std::vector<std::string> git_environment(const std::vector<std::string>& changes);

}  // namespace resident
