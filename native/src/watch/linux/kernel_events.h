// The events of inotify(7) and fanotify(7), and the events that a watcher requests. Both use the
// same numbers in the kernel; IN_ALL_EVENTS contains them all. Older headers lack some names of
// fanotify.
#pragma once

#include <sys/fanotify.h>
#include <sys/inotify.h>

#include <cstdint>

#include "watch/watcher.h"

namespace resident {

static_assert(FAN_MODIFY == IN_MODIFY && FAN_CLOSE_WRITE == IN_CLOSE_WRITE);

inline constexpr uint32_t kContentEvents = IN_MODIFY | IN_CLOSE_WRITE;
inline constexpr uint32_t kArrivalEvents = IN_CREATE | IN_MOVED_TO;

constexpr uint32_t events_of(Watcher::Scope scope) {
  constexpr uint32_t kPlace = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
  constexpr uint32_t kNames = kPlace | kArrivalEvents | IN_DELETE | IN_MOVED_FROM;
  switch (scope) {
    case Watcher::Scope::kNames:
      return kNames;
    case Watcher::Scope::kPlace:
      return kPlace;
    case Watcher::Scope::kContents:
      break;
  }
  return kNames | kContentEvents;
}

}  // namespace resident
