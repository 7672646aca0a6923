#include "watch/fanotify/fanotify_watcher.h"

#include "watch/local_file_system.h"

namespace resident {

namespace {

// FAN_* of linux/fanotify.h, which has inotify's values.
constexpr uint32_t kPlaceEvents = 0x4 | 0x400 | 0x800;          // ATTRIB, DELETE_SELF, MOVE_SELF
constexpr uint32_t kNamesEvents = kPlaceEvents | 0x40 | 0x80 |  // MOVED_FROM, MOVED_TO
                                  0x100 | 0x200;                // CREATE, DELETE
constexpr uint32_t kContentsEvents = kNamesEvents | 0x2 | 0x8;  // MODIFY, CLOSE_WRITE

uint32_t events_of(Watcher::Scope scope) {
  switch (scope) {
    case Watcher::Scope::kNames:
      return kNamesEvents;
    case Watcher::Scope::kPlace:
      return kPlaceEvents;
    case Watcher::Scope::kContents:
      break;
  }
  return kContentsEvents;
}

}  // namespace

Result<Watcher::Added> FanotifyWatcher::add(const Directory& directory, Scope scope) {
  FanotifyQueue* const queue = user_.queue();
  if (!queue) return Added{kNoWatch, true};
  return queue->watch(user_.number(), static_cast<int>(directory.handle()), events_of(scope));
}

bool FanotifyWatcher::tells_everything(const Directory& directory) const {
  return is_on_local_file_system(directory);
}

bool FanotifyWatcher::has(const Directory& directory) const {
  FanotifyQueue* const queue = user_.joined();
  return queue && queue->has(static_cast<int>(directory.handle()));
}

}  // namespace resident
