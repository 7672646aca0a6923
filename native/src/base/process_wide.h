// process_wide<T>(make): the one T of this process, made by the first who asks for it and ended
// with the last who holds it. For what a machine has few of.
//
// Threads: any.
#pragma once

#include <memory>
#include <utility>

#include "base/result.h"
#include "base/thread_annotations.h"

namespace resident {

// `make()` returns a Result<std::shared_ptr<T>>. A failure is not remembered.
template <typename T, typename Make>
Result<std::shared_ptr<T>> process_wide(Make&& make) {
  struct Slot {
    Mutex mutex;
    std::weak_ptr<T> made GUARDED_BY(mutex);
  };
  // Never destroyed: who holds a T may outlive every static.
  static Slot& slot = *new Slot;
  MutexLock lock(slot.mutex);
  if (std::shared_ptr<T> made = slot.made.lock()) return made;
  RESIDENT_TRY(std::shared_ptr<T> made, make());
  slot.made = made;
  return made;
}

}  // namespace resident
