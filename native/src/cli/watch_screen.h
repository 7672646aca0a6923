// `git-resident watch` in a terminal: a view that people leave open. What it looks like is
// watch_lines.h's to say.
//
// The screen is drawn anew where something changed, line by line, and no more often than eyes can
// follow. While the terminal takes nothing, nothing is drawn, and the model goes on.
#pragma once

#include <chrono>
#include <string>

namespace resident {

// Until the user ends it, a signal does, or the terminal is gone. Standard output is a terminal.
// Returns the exit code.
int watch_in_terminal(const std::string& path, std::chrono::milliseconds sweep);

}  // namespace resident
