// MappingGuard: lets the process survive the truncation of a mapped file.
//
// A read behind the file's new end raises SIGBUS, which ends the process by default. While a guard
// lives, such a read returns zeros instead, and was_cut() returns true. Git itself never
// truncates its files, but an editor, a restored backup or a broken tool does.
//
// Threads: any. The signal arrives on the reading thread. A SIGBUS elsewhere goes to the previous
// handler.
#pragma once

#include <cstddef>

namespace resident {

struct GuardedMapping;

class MappingGuard {
 public:
  MappingGuard() = default;
  // `data` is the start of a mapping of `size` bytes, which must outlive the guard.
  MappingGuard(const void* data, size_t size);
  MappingGuard(MappingGuard&& other) noexcept;
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;
  ~MappingGuard();

  // True: some bytes that were read are not the file's.
  bool was_cut() const;

 private:
  GuardedMapping* mapping_ = nullptr;
};

}  // namespace resident
