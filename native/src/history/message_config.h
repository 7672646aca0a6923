// The config of what git writes for people. Source: git's config.c (git_default_core_config).
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "git/git_rules.h"
#include "hash/object_id.h"

namespace resident {

// core.abbrev; nullopt: as long as the repository asks for.
std::optional<int> configured_abbreviation(const Config& config, HashAlgorithm algorithm);

// What begins a comment: core.commentChar or core.commentString, the last one that git takes.
std::string configured_comment(const Config& config, const GitRules& rules);

}  // namespace resident
