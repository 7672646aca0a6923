// MappingGuard: makes it survivable that somebody shortens a mapped file in place.
//
// A read behind the file's new end raises SIGBUS, whose default ends the process. While a guard
// lives, such a read finds zeros instead, and was_cut() says that it did. git never shortens the
// files that it keeps, but an editor, a restored backup or a broken tool does.
//
// Threads: any; the signal comes on the thread that reads. A SIGBUS elsewhere is passed on to the
// handler that was there before.
#pragma once

#include <cstddef>

namespace resident {

struct GuardedMapping;

class MappingGuard {
 public:
  MappingGuard() = default;
  // `data` is the beginning of a mapping of `size` bytes, which outlives the guard.
  MappingGuard(const void* data, size_t size);
  MappingGuard(MappingGuard&& other) noexcept;
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;
  ~MappingGuard();

  // Something that is not the file's was read.
  bool was_cut() const;

 private:
  GuardedMapping* mapping_ = nullptr;
};

}  // namespace resident
