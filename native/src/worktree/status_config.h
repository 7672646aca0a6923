// The config values of `git status` whose reading is not just "the last one wins". Source: git's
// builtin/commit.c (git_status_config) and config.c (git_default_core_config).
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "git/git_rules.h"
#include "hash/object_id.h"
#include "worktree/status.h"

namespace resident {

// status.renames; without it the FIRST diff.renames (git keeps the one it meets first); else
// renames. Values that git refuses read as renames.
RenameMode configured_renames(const Config& config);

// The same rule for status.renameLimit and diff.renameLimit; nullopt: git's default.
std::optional<int> configured_rename_limit(const Config& config);

// core.abbrev; nullopt: as long as the repository asks for.
std::optional<int> configured_abbreviation(const Config& config, HashAlgorithm algorithm);

// What begins a comment: core.commentChar or core.commentString, the last one that git takes.
std::string configured_comment(const Config& config, const GitRules& rules);

}  // namespace resident
