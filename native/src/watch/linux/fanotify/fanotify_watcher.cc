#include "watch/linux/fanotify/fanotify_watcher.h"

#include "watch/linux/kernel_events.h"
#include "watch/local_file_system.h"

namespace resident {

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
