// git's untracked cache. Only git's warning about it matters here.
#pragma once

#include <string>

#include "config/config.h"
#include "index/index.h"
#include "status/status.h"

namespace resident {

// True if git would warn that the cache belongs to another directory or system. The worktree was
// then moved or copied. It may be true too often, but never too seldom: git does not warn in some
// cases where it would not use a cache.
//
// Source: git's dir.c (validate_untracked_cache), read-cache.c (tweak_untracked_cache).
bool git_distrusts_untracked_cache(const Index& index, const Config& config,
                                   const std::string& worktree, const StatusQuery& query);

}  // namespace resident
