// Limits of a request to testing/fork_server.cc. A larger request starts the program with
// posix_spawn().
#pragma once

#include <cstddef>

namespace resident::testing {

// Less than the limit of a socket message.
constexpr size_t kForkRequestBytes = size_t{1} << 16;
constexpr size_t kForkRequestFields = size_t{1} << 12;

}  // namespace resident::testing
