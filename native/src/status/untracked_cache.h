// git's untracked cache, of which we need only to know whether git would complain about it.
#pragma once

#include <string>

#include "config/config.h"
#include "index/index.h"
#include "status/status.h"

namespace resident {

// True where git warns that the cache belongs to another directory or system: a worktree that was
// moved or copied. Rather too often than not often enough: git leaves it out where it would not use
// a cache anyway.
//
// Source: git's dir.c (validate_untracked_cache), read-cache.c (tweak_untracked_cache).
bool git_distrusts_untracked_cache(const Index& index, const Config& config,
                                   const std::string& worktree, const StatusQuery& query);

}  // namespace resident
