// The options of `git-resident prompt`: those of gitstatusd 1.5.5, and ours.
//
// Source: `gitstatusd --help` of version 1.5.5.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "prompt/prompt_format.h"
#include "prompt/prompt_limits.h"
#include "prompt/prompt_status.h"

namespace resident {

// The version whose protocol is spoken, as --version tells it. Any --version-glob is satisfied, so
// that a plugin takes us whichever version it is pinned to.
inline constexpr std::string_view kGitstatusdVersion = "v1.5.5";

struct PromptOptions {
  enum class Action : uint8_t { kServe, kPrint, kHelp, kVersion } action = Action::kServe;

  // gitstatusd's.
  std::optional<int> lock_fd;
  std::optional<int> parent_pid;
  std::optional<unsigned> threads;
  bool logs_errors = true;  // on standard error; false: --log-level=FATAL
  std::optional<std::chrono::seconds> idle = std::chrono::hours(1);  // nullopt: forever
  PromptLimits limits;
  PromptQuery query;

  // Ours.
  std::optional<std::string> format;  // --format; with kPrint
  PromptReader reader = PromptReader::kPlain;
  std::string directory;                 // that kPrint is asked about; "": the working directory
  std::optional<uint64_t> watch_budget;  // directories that may be watched; nullopt: a share
  // Run what the repository's own config names, or git, where only that can tell; false: never.
  bool trust = false;
};

// kInvalid, for people.
Result<PromptOptions> parse_prompt_options(const std::vector<std::string>& arguments);

extern const char* const kPromptUsage;

}  // namespace resident
