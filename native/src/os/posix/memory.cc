#include "os/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

namespace resident {

namespace {

// The usual size of a huge page. On other systems it only adds alignment.
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

size_t page_size() {
  static const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

void* map_pages(size_t bytes) {
  const size_t slack = bytes < kHugePage ? 0 : kHugePage;
  void* mapped =
      ::mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  if (slack == 0) return mapped;
  auto* block = static_cast<uint8_t*>(mapped);
  const size_t before = (slack - reinterpret_cast<uintptr_t>(block) % slack) % slack;
  if (before > 0) (void)::munmap(block, before);
  block += before;
  if (before < slack) (void)::munmap(block + bytes, slack - before);
#ifdef MADV_HUGEPAGE
  (void)::madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

void unmap_pages(void* block, size_t bytes) {
  (void)::munmap(block, bytes);
}

}  // namespace resident
