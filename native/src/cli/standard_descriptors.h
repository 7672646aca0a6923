// Descriptors 0, 1 and 2 are open before a command begins, as git's sanitize_stdfds() has it. Else
// the first file that a command opens becomes its standard output.
#pragma once

namespace resident {

// Opens closed ones to the null device. False with errno where that is not possible.
//
// Threads: the first one, before any other starts.
bool open_standard_descriptors();

}  // namespace resident
