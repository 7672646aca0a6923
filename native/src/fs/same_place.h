// Whether two paths name the same place: paths can differ by links and mounts on the way.
//
// Threads: any.
#pragma once

#include <string>

namespace resident {

// Both name one directory. False where one of them is not there, unless they are spelled alike.
bool is_same_directory(const std::string& one, const std::string& other);

// Both are one name in one directory. The file itself can be missing, or be replaced meanwhile.
bool is_same_name(const std::string& one, const std::string& other);

}  // namespace resident
