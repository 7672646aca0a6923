// Finds config values that make `git status` fail. git must then run, to print its own error.
//
// Source: git_status_config and its callees in git's builtin/commit.c, diff.c, config.c, column.c.
#pragma once

#include "config/config.h"
#include "git/git_rules.h"

namespace resident {

// True if git refuses a value or warns about it, or if we cannot tell.
bool git_may_refuse(const Config& config, const GitRules& rules);

}  // namespace resident
