// Whether this program answers git in place of git's own fsmonitor daemon.
#pragma once

#include "config/config.h"

namespace resident {

// A key in the repository's own config. `git-resident accelerate --by-socket` writes it.
inline constexpr const char* kStandsInForDaemon = "residentGit.standsInForDaemon";

inline bool stands_in_for_daemon(const Config& config) {
  return config.get_bool(kStandsInForDaemon, false) && config.get_bool("core.fsmonitor", false);
}

}  // namespace resident
