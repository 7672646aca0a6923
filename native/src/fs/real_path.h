// real_path: where a path leads.
#pragma once

#include <string>

namespace resident {

// Absolute, without symbolic links, "." and ".."; empty where a part of it is not there or may not
// be looked at. See realpath(3). Any thread.
std::string real_path(const std::string& path);

}  // namespace resident
