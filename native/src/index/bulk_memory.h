// BulkMemory: raw memory for BulkArray. Large blocks are mapped from the system, in huge pages if
// it offers them. The first write to an ordinary page costs more than decoding the bytes written
// there.
//
// Throws std::bad_alloc if there is no memory, like every container.
#pragma once

#include <atomic>
#include <cstddef>

namespace resident {

class BulkMemory {
 public:
  // Blocks of at least this many bytes are mapped; smaller ones come from malloc.
  static constexpr size_t kLarge = size_t{1} << 20;

  // Returns null for 0 bytes. The content is unspecified.
  static void* allocate(size_t bytes);
  // Returns a block of `bytes` that begins with the `used` bytes of `block`, and frees `block`.
  static void* resize(void* block, size_t old_bytes, size_t bytes, size_t used);
  static void release(void* block, size_t bytes);
  // Makes the system provide the pages of `block` now, until `enough` is set. The content is
  // unspecified afterwards.
  static void touch(void* block, size_t bytes, const std::atomic<bool>& enough);
};

}  // namespace resident
