// is_in_memory: whether the page cache holds a file's content, judged by a byte in its middle.
//
// Threads: any.
#pragma once

#include <string>

namespace resident {

// False: a read would wait for a disk. True also if the file cannot be read, or if the system does
// not support the test.
bool is_in_memory(const std::string& file);

}  // namespace resident
