// Which files can decide git's configuration of a worktree, whether they exist or not.
// Source: git's Documentation/git-config.txt (FILES, ENVIRONMENT) and config.txt (Includes).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace resident {

// The system, global, repository and worktree files, from the environment and the place. Absolute.
std::vector<std::string> standard_config_files(const ConfigPlace& place);

// True for "include.path" and "includeif.<condition>.path".
bool is_include_key(std::string_view key);

// Where an include entry points, absolute; empty where that cannot be told. The condition is not
// asked: a file that is not included now may be included by the next change, and one stat more
// costs nothing.
std::string include_target(const ConfigEntry& entry);

}  // namespace resident
