// Converts a command line and the config to a query and print options, like `git status`. Source:
// git's builtin/commit.c (cmd_status, finalize_deferred_config), color.c, git.c (pager.status).
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "git/git_rules.h"
#include "porcelain/porcelain.h"
#include "porcelain/status_options.h"
#include "repository/repository.h"

namespace resident {

// The inputs that git reads from its environment.
struct StatusSurroundings {
  bool output_is_terminal = false;
  bool dumb_terminal = true;     // TERM unset or "dumb"
  bool pager_in_use = false;     // GIT_PAGER_IN_USE
  bool english_messages = true;  // no translation applies
  // The name in PWD differs from the kernel's name of the working directory: a symbolic link leads
  // there.
  bool directory_has_other_name = false;
  // nullopt: git refuses the value of one of the variables.
  std::optional<PathspecSettings> pathspecs = PathspecSettings{};
};

StatusSurroundings status_surroundings();

struct StatusRequest {
  StatusQuery query;
  PrintOptions print;
};

// `rules` are those of the git that would print the answer. Returns nullopt if git must answer
// itself:
// - for columns and a pager,
// - for values and pathspecs that it refuses,
// - for a config that depends on the name of the directory,
// - in the long format, for a diff (--verbose), a submodule summary, and any language but English.
std::optional<StatusRequest> status_request(const StatusOptions& options, const Config& config,
                                            const Repository& repository,
                                            const StatusSurroundings& surroundings,
                                            const GitRules& rules);

}  // namespace resident
