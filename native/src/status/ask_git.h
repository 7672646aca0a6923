// The answer of `git status` itself, for what only git can compute.
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

// Asks `git status --porcelain=v2 -z` with the options that say the same as `query`. A query with a
// pathspec is kUnsupported: that command goes to git as it was written.
Result<StatusResult> ask_git(const StatusQuery& query, const RunGit& run);
Result<StatusResult> ask_git(const StatusQuery& query, const GitRunOptions& options);

// Reads what `git status --porcelain=v2 -z` printed. kCorrupt for anything else.
Result<StatusResult> parse_porcelain_v2(std::string_view output);

}  // namespace resident
