#include "watch/system_watchers.h"

#include "watch/inotify/inotify_watcher.h"

namespace resident {

WatcherFactory system_watchers() {
  return [](std::function<void()> wake) { return make_inotify_watcher(std::move(wake)); };
}

}  // namespace resident
