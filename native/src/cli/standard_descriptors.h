// Opens descriptors 0, 1 and 2 before a command begins, like git's sanitize_stdfds(). Otherwise the
// first file that a command opens could become its standard output.
#pragma once

namespace resident {

// Opens closed descriptors to the null device. Returns false with errno on failure.
//
// Threads: only the first thread, before any other starts.
bool open_standard_descriptors();

}  // namespace resident
