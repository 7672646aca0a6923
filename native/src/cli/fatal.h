// How a command ends that cannot do what it was asked, as git's commands do.
#pragma once

#include <string>

namespace resident {

inline constexpr int kUsageError = 129;
inline constexpr int kFatal = 128;

// Says "fatal: <message>" on standard error; kFatal.
int fatal(const std::string& message);

}  // namespace resident
