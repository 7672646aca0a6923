// The three standard descriptors.
//
// A port supplies every function of this header.
#pragma once

namespace resident {

inline constexpr int kStandardInput = 0;
inline constexpr int kStandardOutput = 1;
inline constexpr int kStandardError = 2;

// Opens closed standard descriptors to the null device, like git's sanitize_stdfds(). Otherwise the
// first file that a command opens could become its standard output. Returns false with errno on
// failure. Only the first thread, before any other starts.
bool open_standard_streams();

bool is_terminal(int fd);

}  // namespace resident
