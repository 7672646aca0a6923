// The watchers of this system. Only this file knows the available backends.
#pragma once

#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake`: see make_inotify_watcher().
using WatcherFactory = std::function<std::unique_ptr<Watcher>(std::function<void()> wake)>;

WatcherFactory system_watchers();

}  // namespace resident
