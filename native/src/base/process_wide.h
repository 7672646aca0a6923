// process_wide<T>(make): a T that the whole process shares. The first caller makes it; it ends with
// its last holder. Use it for a scarce resource of the machine.
//
// Threads: any.
#pragma once

#include <memory>
#include <utility>

#include "base/result.h"
#include "base/thread_annotations.h"

namespace resident {

// `make()` returns a Result<std::shared_ptr<T>>. A failure is not cached.
template <typename T, typename Make>
Result<std::shared_ptr<T>> process_wide(Make&& make) {
  struct Slot {
    Mutex mutex;
    std::weak_ptr<T> made GUARDED_BY(mutex);
  };
  // Never destroyed: a holder of T may live longer than every static.
  static Slot& slot = *new Slot;
  MutexLock lock(slot.mutex);
  if (std::shared_ptr<T> made = slot.made.lock()) return made;
  RESIDENT_TRY(std::shared_ptr<T> made, make());
  slot.made = made;
  return made;
}

}  // namespace resident
