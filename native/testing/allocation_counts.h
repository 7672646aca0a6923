// Counts of the allocations by operator new, and a way to make them fail. One file of the test
// program must include testing/allocations.h.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace resident::testing {

inline constexpr int64_t kNever = -1;
// Number of allocations, of any thread, until one fails.
inline std::atomic<int64_t> allocations_left{kNever};
// Bytes allocated by any thread since the start.
inline std::atomic<uint64_t> bytes_allocated{0};
// Memory in use, as malloc's usable sizes plus its size field for each block.
inline std::atomic<size_t> bytes_in_use{0};

inline size_t cost_of(void* block) {
  return block ? ::malloc_usable_size(block) + sizeof(size_t) : 0;
}

inline void* allocate_or_null(size_t size) noexcept {
  void* const block = std::malloc(std::max<size_t>(size, 1));
  bytes_in_use.fetch_add(cost_of(block), std::memory_order_relaxed);
  return block;
}

inline void release(void* block) noexcept {
  bytes_in_use.fetch_sub(cost_of(block), std::memory_order_relaxed);
  std::free(block);
}

inline void* allocate(size_t size) {
  if (allocations_left.load(std::memory_order_relaxed) >= 0 && allocations_left-- == 0) {
    throw std::bad_alloc();
  }
  bytes_allocated.fetch_add(size, std::memory_order_relaxed);
  void* const block = allocate_or_null(size);
  if (!block) throw std::bad_alloc();
  return block;
}

}  // namespace resident::testing
