// Parses the output of `git config --list -z --show-origin --show-scope`. Each entry is "<scope>
// NUL <origin> NUL <key> [LF <value>] NUL".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"

namespace resident {

// git prints file names in the form in which it opened them. Relative names are relative to
// `worktree`. Fails with kCorrupt if the listing ends inside an entry.
Result<std::vector<ConfigEntry>> parse_config_listing(std::string_view listing,
                                                      const std::string& worktree);

}  // namespace resident
