// Finds config values on which `git status` would end with an error, so that git gets to say so.
// Source: git_status_config and what it calls in git's builtin/commit.c, diff.c, config.c,
// column.c.
#pragma once

#include "config/config.h"
#include "git/git_rules.h"

namespace resident {

// True where git refuses a value or has a warning for it, and where we cannot tell.
bool git_may_refuse(const Config& config, const GitRules& rules);

}  // namespace resident
