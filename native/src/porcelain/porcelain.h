// Prints an answer exactly as `git status` does in each of its formats.
//
// Source of every rule: git's wt-status.c, quote.c and Documentation/git-status.txt. Differences of
// version 1 and short, which look alike: short has colours, paths relative to the prefix and the
// letters m and ? for submodules. For the long format see long_format.h.
#pragma once

#include <optional>
#include <string>

#include "git/git_rules.h"
#include "porcelain/colors.h"
#include "status/status.h"

namespace resident {

enum class StatusFormat : uint8_t { kLong, kShort, kPorcelainV1, kPorcelainV2 };

// What the long format depends on besides.
struct LongFormatOptions {
  bool hints = true;                  // advice.statusHints
  bool tell_slow_enumerating = true;  // advice.statusUoption
  bool tell_slow_counting = true;     // advice.statusAheadBehindWarning
  std::string comment;                // core.commentChar, with status.displayCommentPrefix
  bool results_are_cached = false;    // core.fsmonitor names a hook
  // Of the question.
  UntrackedMode untracked = UntrackedMode::kNormal;
  bool ahead_behind = true;
};

struct PrintOptions {
  GitRules rules;  // of the git that would print
  StatusFormat format = StatusFormat::kPorcelainV1;
  // -z: entries end in NUL and paths are neither quoted nor relative.
  bool null_terminated = false;
  // core.quotePath: bytes from 0x80 on are quoted too.
  bool quote_high_bytes = true;
  // Paths are printed relative to this directory: "" or "sub/dir/". Version 1 ignores it.
  std::string prefix;
  // Short and long only; unset: none.
  std::optional<StatusPalette> colors;
  LongFormatOptions long_format;
  // Of the repository: the length of an id that does not exist.
  HashAlgorithm algorithm = HashAlgorithm::kSha1;
};

// The branch header is printed where `status.branch` is present, the stash header (version 2 and
// long) where there is a stash.
std::string print_status(const StatusResult& status, const PrintOptions& options);

}  // namespace resident
