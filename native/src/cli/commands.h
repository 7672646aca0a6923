// The subcommands of git-resident. Each gets the file system to read and the arguments after
// its name. Each returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

using Arguments = std::vector<std::string>;

int serve_command(FileSystem& fs, const Arguments& arguments);
int status_command(FileSystem& fs, const Arguments& arguments);
int explain_command(FileSystem& fs, const Arguments& arguments);
int prompt_command(FileSystem& fs, const Arguments& arguments);
int watch_command(FileSystem& fs, const Arguments& arguments);
int since_command(FileSystem& fs, const Arguments& arguments);
int accelerate_command(FileSystem& fs, const Arguments& arguments);
int fsmonitor_command(FileSystem& fs, const Arguments& arguments);
int version_command(FileSystem& fs, const Arguments& arguments);
int help_command(FileSystem& fs, const Arguments& arguments);

}  // namespace resident
