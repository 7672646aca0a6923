// Random numbers.
//
// A port supplies every function of this header.
//
// Threads: any.
#pragma once

#include <cstddef>

namespace resident {

// Fills `bytes` with random bytes, without waiting. Leaves them if there are none yet.
void fill_random(void* bytes, size_t size);

}  // namespace resident
