// From a command line and the config to a question and the way to print its answer, as `git status`
// has it. Source: git's builtin/commit.c (cmd_status, finalize_deferred_config), color.c, git.c
// (pager.status).
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "git/git_rules.h"
#include "porcelain/porcelain.h"
#include "porcelain/status_options.h"
#include "repository/repository.h"

namespace resident {

// What git reads from its surroundings.
struct StatusSurroundings {
  bool output_is_terminal = false;
  bool dumb_terminal = true;     // TERM unset or "dumb"
  bool pager_in_use = false;     // GIT_PAGER_IN_USE
  bool english_messages = true;  // no translation applies
  // PWD names the working directory otherwise than the kernel does: through a symbolic link.
  bool directory_has_other_name = false;
  // nullopt: one of the variables has a value that git refuses.
  std::optional<PathspecSettings> pathspecs = PathspecSettings{};
};

StatusSurroundings status_surroundings();

struct StatusRequest {
  StatusQuery query;
  PrintOptions print;
};

// `rules` are those of the git that would print the answer.
// nullopt where git must answer itself: columns, a pager, values and pathspecs that it refuses, a
// config that depends on how the directory is called, and for the long format also a diff
// (--verbose), a submodule summary, and any language but English.
std::optional<StatusRequest> status_request(const StatusOptions& options, const Config& config,
                                            const Repository& repository,
                                            const StatusSurroundings& surroundings,
                                            const GitRules& rules);

}  // namespace resident
