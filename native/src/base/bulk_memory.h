// BulkMemory: raw memory for BulkArray. A large block comes straight from the system, in huge pages
// where it offers them: first writes to ordinary pages cost more than decoding what is written.
//
// Throws std::bad_alloc where there is none, as every container does.
#pragma once

#include <atomic>
#include <cstddef>

namespace resident {

class BulkMemory {
 public:
  // From so many bytes on, a block is the system's; smaller ones are the allocator's.
  static constexpr size_t kLarge = size_t{1} << 20;

  // Null for no bytes. What it holds is unspecified.
  static void* allocate(size_t bytes);
  // A block of `bytes` that begins with the `used` bytes of `block`, which is gone then.
  static void* resize(void* block, size_t old_bytes, size_t bytes, size_t used);
  static void release(void* block, size_t bytes);
  // Makes the system find the pages of it now, until `enough`. What they hold is unspecified
  // afterwards.
  static void touch(void* block, size_t bytes, const std::atomic<bool>& enough);
};

}  // namespace resident
