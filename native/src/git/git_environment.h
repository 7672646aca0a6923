// The environment in which git is run: that of this process, with changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace resident {

// Set for every git that this process asks: our own hook (core.fsmonitor) is of no use to it, and
// would be asked in turn.
inline constexpr std::string_view kAskedByUs = "RESIDENT_GIT_ASKS";

// Complete, and always with GIT_OPTIONAL_LOCKS=0 and that. "NAME=value" replaces or adds a
// variable, "NAME" removes it; the last one of a name counts. Read without a lock, as execvp would:
// no other thread may call setenv meanwhile.
std::vector<std::string> git_environment(const std::vector<std::string>& changes);

}  // namespace resident
