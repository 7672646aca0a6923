#include "index/bulk_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "os/memory.h"

namespace resident {
namespace {

size_t whole_pages(size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

}  // namespace

void* BulkMemory::allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  // Keeps the rounding to whole pages from overflowing.
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  if (bytes >= kLarge) return map_pages(whole_pages(bytes));
  void* block = std::malloc(bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

void* BulkMemory::resize(void* block, size_t old_bytes, size_t bytes, size_t used) {
  if (old_bytes >= kLarge && bytes >= kLarge && bytes <= old_bytes) {
    const size_t kept = whole_pages(bytes);
    const size_t tail = whole_pages(old_bytes) - kept;
    if (tail > 0) unmap_pages(static_cast<uint8_t*>(block) + kept, tail);
    return block;
  }
  void* moved = allocate(bytes);
  if (used > 0) std::memcpy(moved, block, used);
  release(block, old_bytes);
  return moved;
}

void BulkMemory::release(void* block, size_t bytes) {
  if (bytes >= kLarge) {
    unmap_pages(block, whole_pages(bytes));
  } else {
    std::free(block);
  }
}

void BulkMemory::touch(void* block, size_t bytes, const std::atomic<bool>& enough) {
  auto* bytes_of_block = static_cast<volatile uint8_t*>(block);
  const size_t page = page_size();
  for (size_t at = 0; at < bytes && !enough.load(std::memory_order_relaxed); at += page) {
    bytes_of_block[at] = 0;
  }
}

}  // namespace resident
