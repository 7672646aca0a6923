#include "watch/system_watchers.h"

#include "watch/layered_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {

WatcherFactory system_watchers() {
  return [](std::function<void()> wake) { return make_layered_watcher(std::move(wake)); };
}

uint64_t system_watch_limit() {
  return inotify_watch_limit();
}

}  // namespace resident
