// What a command prints, whole.
#pragma once

#include <string_view>

namespace resident {

// False with errno where it cannot be written.
bool write_to(int descriptor, std::string_view text);

// On standard output. A command's exit code: what keeps it from that is said, as by fatal().
int write_out(std::string_view text);

}  // namespace resident
