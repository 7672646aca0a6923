// Parsers for config values, by git's rules. Source: git's config.c and Documentation/config.txt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace resident {

// "Core.QuotePath" -> "core.quotepath"; a subsection keeps its case.
std::string canonical_config_key(std::string_view key);

// Accepts true, yes, on, false, no, off, "" and any integer. Returns nullopt for a value that git
// refuses.
std::optional<bool> parse_config_bool(std::string_view value);

// Accepts decimal, 0x and 0 (octal), with k, m or g. Returns nullopt if git refuses the value or it
// does not fit.
std::optional<int64_t> parse_config_int(std::string_view value);

// Expands a leading "~/", "~user/" or "%(prefix)/". Returns nullopt for an unknown user or a
// missing HOME.
std::optional<std::string> expand_config_path(std::string_view value);

// The installation prefix of git on PATH ("/usr" for /usr/bin/git). Empty if PATH has no git.
std::string git_installation_prefix();

}  // namespace resident
