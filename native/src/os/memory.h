// Memory of the system: pages for large blocks, and the allocator's free memory.
//
// A port supplies every function of this header. Throws std::bad_alloc if there is no memory, like
// every container.
//
// Threads: any.
#pragma once

#include <cstddef>

namespace resident {

// The size of a page, in bytes: a power of two.
size_t page_size();

// Returns `bytes` of new zeroed memory, in huge pages if the system offers them. `bytes` is a
// multiple of the page size.
void* map_pages(size_t bytes);

// Frees pages of map_pages(), all of them or a part of a block. Both parameters are multiples of
// the page size.
void unmap_pages(void* block, size_t bytes);

// Returns the allocator's free memory to the system.
void trim_heap();

}  // namespace resident
