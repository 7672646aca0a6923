// Tests whether two paths name the same place. Paths can differ by symbolic links and mounts.
//
// Threads: any.
#pragma once

#include <string>

namespace resident {

// True if both name one directory. False if a path does not exist, unless both are spelled alike.
bool is_same_directory(const std::string& one, const std::string& other);

// True if both are the same name in one directory. The file may be missing or replaced meanwhile.
bool is_same_name(const std::string& one, const std::string& other);

}  // namespace resident
