// Runs `git status` for an answer that only git can compute.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git_command.h"
#include "status/status.h"

namespace resident {

// Runs git with these arguments.
using RunGit = std::function<Result<GitOutput>(const std::vector<std::string>& arguments)>;

// Runs `git status --porcelain=v2 -z` with the options of `query`. A query with a pathspec is
// kUnsupported: the caller must pass that command to git unchanged.
Result<StatusResult> ask_git(const StatusQuery& query, const RunGit& run);
Result<StatusResult> ask_git(const StatusQuery& query, const GitRunOptions& options);

// Parses the output of `git status --porcelain=v2 -z`. kCorrupt for anything else.
Result<StatusResult> parse_porcelain_v2(std::string_view output);

}  // namespace resident
