// The version of the git on PATH, for what git words differently from version to version.
//
// Threads: any.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace resident {

struct GitVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const GitVersion&, const GitVersion&) = default;
};

// From "git version 2.39.5 (Apple Git-154)" and the like.
std::optional<GitVersion> parse_git_version(std::string_view output);

// One spawn, and another one only when the program that PATH leads to is another one by its stat.
Result<GitVersion> git_version();

}  // namespace resident
