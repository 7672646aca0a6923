#include "watch/system_watchers.h"

#include "watch/layered_watcher.h"

namespace resident {

WatcherFactory system_watchers() {
  return [](std::function<void()> wake) { return make_layered_watcher(std::move(wake)); };
}

}  // namespace resident
