// Counts allocations by operator new, and makes them fail. Replaces operator new for the whole test
// program. Include it in one file only.
#pragma once

#include <new>

#include "testing/allocation_counts.h"

void* operator new(size_t size) {
  return resident::testing::allocate(size);
}
void* operator new[](size_t size) {
  return resident::testing::allocate(size);
}
// std::stable_sort calls this, and works without the memory.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return resident::testing::allocate_or_null(size);
}
void operator delete(void* block) noexcept {
  resident::testing::release(block);
}
void operator delete[](void* block) noexcept {
  resident::testing::release(block);
}
void operator delete(void* block, size_t) noexcept {
  resident::testing::release(block);
}
void operator delete[](void* block, size_t) noexcept {
  resident::testing::release(block);
}
