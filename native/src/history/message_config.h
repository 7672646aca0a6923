// Config of the texts that git writes for people. Source: git's config.c (git_default_core_config).
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "git/git_rules.h"
#include "hash/object_id.h"

namespace resident {

// core.abbrev. nullopt: the length depends on the size of the repository.
std::optional<int> configured_abbreviation(const Config& config, HashAlgorithm algorithm);

// The prefix of a comment line: the last valid value of core.commentChar or core.commentString.
std::string configured_comment(const Config& config, const GitRules& rules);

}  // namespace resident
