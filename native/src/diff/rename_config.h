// The config of rename detection. Source: git's builtin/commit.c (git_status_config).
#pragma once

#include <optional>

#include "config/config.h"
#include "diff/renames.h"

namespace resident {

// status.renames; without it the FIRST diff.renames (git keeps the one it meets first); else
// renames. Values that git refuses read as renames.
RenameMode configured_renames(const Config& config);

// The same rule for status.renameLimit and diff.renameLimit; nullopt: git's default.
std::optional<int> configured_rename_limit(const Config& config);

}  // namespace resident
