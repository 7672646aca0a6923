// The options of `git-resident prompt`: those of gitstatusd 1.5.5, and our own.
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

// The version of the protocol, and the output of --version. Every --version-glob matches: a plugin
// accepts this program whichever version it requires.
inline constexpr std::string_view kGitstatusdVersion = "v1.5.5";

struct PromptOptions {
  enum class Action : uint8_t { kServe, kPrint, kHelp, kVersion } action = Action::kServe;

  // Options of gitstatusd.
  std::optional<int> lock_fd;
  std::optional<int> parent_pid;
  std::optional<unsigned> threads;
  bool logs_errors = true;  // on standard error; false: --log-level=FATAL
  std::optional<std::chrono::seconds> idle = std::chrono::hours(1);  // nullopt: forever
  PromptLimits limits;
  PromptQuery query;

  // Our own options.
  std::optional<std::string> format;  // --format; with kPrint
  PromptReader reader = PromptReader::kPlain;
  std::string directory;  // for kPrint: the directory in question; "": the working directory
  std::optional<uint64_t> watch_budget;  // directories; nullopt: default_watch_budget()
  // May run programs that the repository's own config names, or git if only git can tell. False:
  // never.
  bool trust = false;
};

// Fails with kInvalid, with a message for people.
Result<PromptOptions> parse_prompt_options(const std::vector<std::string>& arguments);

extern const char* const kPromptUsage;

}  // namespace resident
