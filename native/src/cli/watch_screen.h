// `git-resident watch` in a terminal: a view that people leave open. watch_lines.h defines its
// lines.
//
// Only lines that changed are drawn, no more often than eyes can follow. While the terminal accepts
// no output, nothing is drawn, and the model continues.
#pragma once

#include <chrono>
#include <string>

#include "fs/file_system.h"

namespace resident {

// Runs until the user quits, a signal ends it, or the terminal is gone. Standard output must be a
// terminal. Returns the exit code.
int watch_in_terminal(FileSystem& fs, const std::string& path, std::chrono::milliseconds sweep);

}  // namespace resident
