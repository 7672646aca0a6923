// What `git config --list -z --show-origin --show-scope` prints, read: "<scope> NUL <origin> NUL
// <key> [LF <value>] NUL" for each entry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"

namespace resident {

// git names a file as it opened it: relative names are taken relative to `worktree`. kCorrupt where
// the listing ends inside an entry.
Result<std::vector<ConfigEntry>> parse_config_listing(std::string_view listing,
                                                      const std::string& worktree);

}  // namespace resident
