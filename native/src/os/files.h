// Changes of files by path. fs/ only reads.
//
// A port supplies every function of this header.
//
// Threads: any.
#pragma once

#include <string>
#include <system_error>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

// Creates a file that must not exist. Returns errc::file_exists if it does.
std::error_code create_new_file(const std::string& path, UniqueFd& file);

// Removes a file, or the symbolic link itself. It may be missing.
void remove_file(const std::string& path);

// Makes `path` a symbolic link to `target`, and makes its directory. Replaces a file at `path`,
// which exists at every moment.
Result<void> replace_by_link(const std::string& path, const std::string& target);

// Locks a directory against other processes that call this, until the result is closed. Fails after
// 0.2 seconds.
Result<UniqueFd> lock_directory(const std::string& directory);

}  // namespace resident
