// The version of the git on PATH: what git says of a worktree depends on it (git_rules.h).
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
  int patch = 0;  // 0 also where a version has none: "2.30", "2.47.GIT", "2.55.0.rc1"
  friend auto operator<=>(const GitVersion&, const GitVersion&) = default;
};

// From "git version 2.39.5 (Apple Git-154)" and the like.
std::optional<GitVersion> parse_git_version(std::string_view output);

// "2.39.5".
std::string to_string(const GitVersion& version);

// One spawn for each program that PATH leads to, told apart by its stat. kUnsupported: it does not
// say a version that can be read.
Result<GitVersion> git_version();

// Without a spawn and without waiting: what is known of `program`, and that it is known now.
std::optional<GitVersion> known_git_version(const GitProgram& program);
void cache_git_version(const GitProgram& program, const GitVersion& version);

// Begins to ask for it in the background, so that git_version() need not wait where something else
// takes as long anyway.
void prefetch_git_version();

}  // namespace resident
