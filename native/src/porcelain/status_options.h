// The command line of `git-resident status`: git's own options, and --source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "porcelain/porcelain.h"
#include "status/status.h"

namespace resident {

enum class AnswerSource : uint8_t { kAuto, kScan, kResident };

// The options on the command line, before the config is applied. Unset: not given.
struct StatusOptions {
  enum class Format : uint8_t { kNone, kLong, kShort, kPorcelainV1, kPorcelainV2 };

  std::optional<Format>
      format;  // kNone: negated (--no-short), so the long format, whatever the config says
  bool verbose = false;
  bool null_terminated = false;
  std::optional<bool> branch;
  std::optional<bool> show_stash;
  std::optional<bool> ahead_behind;
  std::optional<UntrackedMode> untracked;
  IgnoredMode ignored = IgnoredMode::kNo;
  std::optional<IgnoreSubmodules> ignore_submodules;
  std::optional<bool> renames;
  bool find_renames = false;
  std::optional<int> rename_score;  // 0..60000, with find_renames
  bool column = false;              // --column or --no-column was given
  std::vector<std::string> pathspecs;
};

struct StatusCommandLine {
  AnswerSource source = AnswerSource::kAuto;
  // All arguments except --source, unchanged.
  std::vector<std::string> git_arguments;
  // Unset if git refuses the arguments or prints help, or if we do not know them.
  std::optional<StatusOptions> options;
};

// Returns nullopt if the value of --source is invalid.
std::optional<StatusCommandLine> parse_status_command_line(
    const std::vector<std::string>& arguments);

}  // namespace resident
