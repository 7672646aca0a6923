// The files that can decide git's configuration of a worktree, existing or not.
//
// Source: git's Documentation/git-config.txt (FILES, ENVIRONMENT) and config.txt (Includes).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace resident {

// The system, global, repository and worktree files. The environment and `place` decide them.
// Absolute.
std::vector<std::string> standard_config_files(const ConfigPlace& place);

// True for "include.path" and "includeif.<condition>.path".
bool is_include_key(std::string_view key);

// The target of an include entry, absolute. Empty if the target is unknown. The condition of the
// include is ignored: the next change may turn it on, and one more stat is cheap.
std::string include_target(const ConfigEntry& entry);

}  // namespace resident
