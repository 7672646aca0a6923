// A watcher over inotify(7), with fanotify(7) for directories beyond inotify's limit. A directory
// keeps its id while it is watched, in either backend. Hints come from dnotify.
#pragma once

#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake`: see make_inotify_watcher().
std::unique_ptr<Watcher> make_layered_watcher(std::function<void()> wake);

}  // namespace resident
