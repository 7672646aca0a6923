// Writes the complete output of a command.
#pragma once

#include <string_view>

namespace resident {

// Returns false with errno on failure.
bool write_to(int descriptor, std::string_view text);

// Writes to standard output. Returns the command's exit code. On failure prints an error like
// fatal().
int write_out(std::string_view text);

}  // namespace resident
