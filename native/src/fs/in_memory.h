// is_in_memory: whether the system has a file's content in memory, by its middle.
//
// Threads: any.
#pragma once

#include <string>

namespace resident {

// False: to read it would wait for a disk. True also of what cannot be read, and where nobody
// tells.
bool is_in_memory(const std::string& file);

}  // namespace resident
