// The environment in which git is run: that of this process, with changes.
#pragma once

#include <string>
#include <vector>

namespace resident {

// Complete, and always with GIT_OPTIONAL_LOCKS=0. "NAME=value" replaces or adds a variable, "NAME"
// removes it; the last one of a name counts. Read without a lock, as execvp would: no other thread
// may call setenv meanwhile.
std::vector<std::string> git_environment(const std::vector<std::string>& changes);

}  // namespace resident
