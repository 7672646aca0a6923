// Replaces this process by git.
#pragma once

#include <string>
#include <vector>

namespace resident {

// Becomes `git <arguments>`: git's output, messages and exit code are the answer. Returns only if
// git cannot be started: prints an error and returns an exit code.
int hand_to_git(const std::vector<std::string>& arguments);

}  // namespace resident
