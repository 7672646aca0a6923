// How git reads the text of a config value. Source: git's config.c and Documentation/config.txt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace resident {

// "Core.QuotePath" -> "core.quotepath"; a subsection keeps its case.
std::string canonical_config_key(std::string_view key);

// true yes on, false no off "", any integer; nullopt for what git refuses.
std::optional<bool> parse_config_bool(std::string_view value);

// Decimal, 0x or 0 octal, with k, m or g; nullopt for what git refuses or what does not fit.
std::optional<int64_t> parse_config_int(std::string_view value);

// A path with "~/", "~user/" or "%(prefix)/" in front expanded; nullopt for an unknown user or no
// HOME.
std::optional<std::string> expand_config_path(std::string_view value);

// Where git on PATH is installed ("/usr" for /usr/bin/git); empty where there is none.
std::string git_installation_prefix();

}  // namespace resident
