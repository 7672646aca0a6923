// real_path: resolves a path.
#pragma once

#include <string>

namespace resident {

// Returns the absolute path without symbolic links, "." and "..". Empty: a part of the path is
// missing or inaccessible. See realpath(3). Any thread.
std::string real_path(const std::string& path);

}  // namespace resident
