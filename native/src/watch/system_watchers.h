// The watchers of this system. Only this file knows the available backends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake`: see make_inotify_watcher().
using WatcherFactory = std::function<std::unique_ptr<Watcher>(std::function<void()> wake)>;

WatcherFactory system_watchers();

// The number of directories that all programs of the user can watch; 0: unknown.
uint64_t system_watch_limit();

}  // namespace resident
