// The version of the git on PATH. git's status depends on it (git_rules.h).
//
// Threads: any.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/git_program.h"

namespace resident {

struct GitVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;  // 0 also if the version has no third number: "2.30", "2.47.GIT", "2.55.0.rc1"
  friend auto operator<=>(const GitVersion&, const GitVersion&) = default;
};

// Parses outputs like "git version 2.39.5 (Apple Git-154)".
std::optional<GitVersion> parse_git_version(std::string_view output);

// Example: "2.39.5".
std::string to_string(const GitVersion& version);

// Runs `git version` once for each program on PATH, identified by its stat. kUnsupported: the
// output has no readable version.
Result<GitVersion> git_version();

// Return and set the cached version of `program`, without a spawn and without waiting.
std::optional<GitVersion> known_git_version(const GitProgram& program);
void cache_git_version(const GitProgram& program, const GitVersion& version);

// Starts to ask for the version in the background. git_version() then need not wait, if other work
// takes as long.
void prefetch_git_version();

}  // namespace resident
