// What `serve` and `watch` share: a worktree is kept until a signal ends the program.
#pragma once

#include <string>

#include "service/resident.h"

namespace resident {

// One line for people: "watching 2,123 directories".
std::string describe(const ModelState& state);

// Keeps the worktree that holds `path`, until SIGINT, SIGTERM or SIGHUP. Returns the exit code.
int keep_worktree(const std::string& path, Resident::Listener& listener);

}  // namespace resident
