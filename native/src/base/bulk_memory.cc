#include "base/bulk_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace resident {
namespace {

size_t whole_pages(size_t bytes) {
  static const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// The usual size of a huge page. On other systems it only adds alignment.
constexpr size_t kHugePage = size_t{2} << 20;

void* map(size_t bytes) {
  const size_t size = whole_pages(bytes);
  const size_t slack = size < kHugePage ? 0 : kHugePage;
  void* mapped =
      ::mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  if (slack == 0) return mapped;
  auto* block = static_cast<uint8_t*>(mapped);
  const size_t before = (slack - reinterpret_cast<uintptr_t>(block) % slack) % slack;
  if (before > 0) (void)::munmap(block, before);
  block += before;
  if (before < slack) (void)::munmap(block + size, slack - before);
#ifdef MADV_HUGEPAGE
  (void)::madvise(block, size, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

void* BulkMemory::allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  // Keeps the rounding to whole pages from overflowing.
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  if (bytes >= kLarge) return map(bytes);
  void* block = std::malloc(bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

void* BulkMemory::resize(void* block, size_t old_bytes, size_t bytes, size_t used) {
  if (old_bytes >= kLarge && bytes >= kLarge && bytes <= old_bytes) {
    const size_t kept = whole_pages(bytes);
    const size_t tail = whole_pages(old_bytes) - kept;
    if (tail > 0) (void)::munmap(static_cast<uint8_t*>(block) + kept, tail);
    return block;
  }
  void* moved = allocate(bytes);
  if (used > 0) std::memcpy(moved, block, used);
  release(block, old_bytes);
  return moved;
}

void BulkMemory::release(void* block, size_t bytes) {
  if (bytes >= kLarge) {
    (void)::munmap(block, whole_pages(bytes));
  } else {
    std::free(block);
  }
}

void BulkMemory::touch(void* block, size_t bytes, const std::atomic<bool>& enough) {
  auto* bytes_of_block = static_cast<volatile uint8_t*>(block);
  const size_t page = whole_pages(1);
  for (size_t at = 0; at < bytes && !enough.load(std::memory_order_relaxed); at += page) {
    bytes_of_block[at] = 0;
  }
}

}  // namespace resident
