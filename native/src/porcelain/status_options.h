// The command line of `git-resident status`: git's own options, and --source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "porcelain/porcelain.h"
#include "status/status.h"

namespace resident {

enum class AnswerSource : uint8_t { kAuto, kScan, kResident };

// What was asked for on the command line, before the config has its say. Unset: not given.
struct StatusOptions {
  enum class Format : uint8_t { kNone, kLong, kShort, kPorcelainV1, kPorcelainV2 };

  std::optional<Format>
      format;  // kNone: taken back (--no-short): the long format, whatever the config says
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
  // Everything but --source, as it was written.
  std::vector<std::string> git_arguments;
  // Unset where git refuses or explains the arguments, and where they are none that we know.
  std::optional<StatusOptions> options;
};

// nullopt: --source has a value that is none.
std::optional<StatusCommandLine> parse_status_command_line(
    const std::vector<std::string>& arguments);

}  // namespace resident
