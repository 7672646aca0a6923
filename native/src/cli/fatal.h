// The end of a command that cannot do its work, like in git's commands.
#pragma once

#include <string>

namespace resident {

inline constexpr int kUsageError = 129;
inline constexpr int kFatal = 128;

// Prints "fatal: <message>" on standard error. Returns kFatal.
int fatal(const std::string& message);

}  // namespace resident
