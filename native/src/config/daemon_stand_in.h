// Whether git, which asks its own daemon what changed, is answered by us in the daemon's place.
#pragma once

#include "config/config.h"

namespace resident {

// In a repository's own config; `git-resident accelerate --by-socket` writes it.
inline constexpr const char* kStandsInForDaemon = "residentGit.standsInForDaemon";

inline bool stands_in_for_daemon(const Config& config) {
  return config.get_bool(kStandsInForDaemon, false) && config.get_bool("core.fsmonitor", false);
}

}  // namespace resident
