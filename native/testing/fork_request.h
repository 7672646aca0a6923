// Limits of a request to testing/fork_server.cc. What has more is started as any other program.
#pragma once

#include <cstddef>

namespace resident::testing {

// Less than a message of a socket may have.
constexpr size_t kForkRequestBytes = size_t{1} << 16;
constexpr size_t kForkRequestFields = size_t{1} << 12;

}  // namespace resident::testing
