// Prints an answer exactly like `git status`, in each of its formats. For the long format see
// long_format.h.
//
// Version 1 and short look alike. Unlike version 1, short has colours, paths relative to the
// prefix, and the letters m and ? for submodules.
//
// Source of every rule: git's wt-status.c, quote.c and Documentation/git-status.txt.
#pragma once

#include <optional>
#include <string>

#include "git/git_rules.h"
#include "porcelain/colors.h"
#include "status/status.h"

namespace resident {

enum class StatusFormat : uint8_t { kLong, kShort, kPorcelainV1, kPorcelainV2 };

// Further inputs of the long format.
struct LongFormatOptions {
  bool hints = true;                  // advice.statusHints
  bool tell_slow_enumerating = true;  // advice.statusUoption
  bool tell_slow_counting = true;     // advice.statusAheadBehindWarning
  std::string comment;                // core.commentChar, with status.displayCommentPrefix
  bool results_are_cached = false;    // core.fsmonitor names a hook
  // From the query.
  UntrackedMode untracked = UntrackedMode::kNormal;
  bool ahead_behind = true;
};

struct PrintOptions {
  GitRules rules;  // rules of the git that would print
  StatusFormat format = StatusFormat::kPorcelainV1;
  // The option -z: entries end in NUL, and paths are neither quoted nor relative.
  bool null_terminated = false;
  // core.quotePath: quote bytes from 0x80 too.
  bool quote_high_bytes = true;
  // Paths are printed relative to this directory: "" or "sub/dir/". Version 1 ignores it.
  std::string prefix;
  // Only for short and long. Unset: no colours.
  std::optional<StatusPalette> colors;
  LongFormatOptions long_format;
  // The repository's algorithm. It decides the length of the id of a missing object.
  HashAlgorithm algorithm = HashAlgorithm::kSha1;
};

// Prints the branch header if `status.branch` is set. Version 2 and long print the stash header if
// there is a stash.
std::string print_status(const StatusResult& status, const PrintOptions& options);
// Prints at the end of `out`. Allocates once for most answers.
void append_status(std::string& out, const StatusResult& status, const PrintOptions& options);

}  // namespace resident
