// A watcher that watches by inotify(7), and by fanotify(7) what inotify has no watches left for. A
// directory keeps its id as long as it is watched, whichever of them has it. Hints are dnotify's.
#pragma once

#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake`: see make_inotify_watcher().
std::unique_ptr<Watcher> make_layered_watcher(std::function<void()> wake);

}  // namespace resident
