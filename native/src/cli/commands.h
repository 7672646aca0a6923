// The subcommands of git-resident. Each gets the arguments after its name and returns the exit
// code.
#pragma once

#include <string>
#include <vector>

namespace resident {

using Arguments = std::vector<std::string>;

int serve_command(const Arguments& arguments);
int status_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int prompt_command(const Arguments& arguments);
int watch_command(const Arguments& arguments);
int since_command(const Arguments& arguments);
int accelerate_command(const Arguments& arguments);
int fsmonitor_command(const Arguments& arguments);
int version_command(const Arguments& arguments);
int help_command(const Arguments& arguments);

}  // namespace resident
