// Gives the rest of this process to git.
#pragma once

#include <string>
#include <vector>

namespace resident {

// Becomes `git <arguments>`: its output, words and exit code are the answer. Returns an exit code
// only where git cannot be started, after saying so.
int hand_to_git(const std::vector<std::string>& arguments);

}  // namespace resident
