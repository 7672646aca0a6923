// What inotify(7) and fanotify(7) tell, and which of it a watcher asks for. The kernel has the same
// numbers for both; IN_ALL_EVENTS is all of them. Older headers lack some of fanotify's names.
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
