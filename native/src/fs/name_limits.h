// The sizes of names and paths that the system accepts, in bytes.
//
// A port supplies both values. These are Linux's.
#pragma once

#include <cstddef>

namespace resident {

inline constexpr size_t kMaxNameSize = 255;
inline constexpr size_t kMaxPathSize = 4095;

}  // namespace resident
