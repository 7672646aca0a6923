// Prefetches data of an index into the processor cache.
#pragma once

#include <cstdint>

#include "index/index.h"

namespace resident {

// A directory's own entries. Once they are cached, their names.
void prefetch_entries(const Index& index, uint32_t directory);
void prefetch_names(const Index& index, uint32_t directory);

}  // namespace resident
