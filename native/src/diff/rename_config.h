// Reads the config of rename detection. Source: git's builtin/commit.c (git_status_config).
#pragma once

#include <optional>

#include "config/config.h"
#include "diff/renames.h"

namespace resident {

// Uses status.renames, else the first diff.renames (git keeps the first). The default is kRenames.
// Values that git refuses also give kRenames.
RenameMode configured_renames(const Config& config);

// The same rule for status.renameLimit and diff.renameLimit. nullopt: git's default.
std::optional<int> configured_rename_limit(const Config& config);

}  // namespace resident
