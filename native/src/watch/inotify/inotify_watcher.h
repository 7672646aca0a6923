// Watcher over inotify(7).
//
// A thread of its own reads the kernel's queue as soon as there is something in it, because the
// queue holds 16,384 events by default and a lazy reader overflows it. drain() reads what is still
// queued itself, under the same lock, so that it never waits for that thread.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "watch/watcher.h"

namespace resident {

// `wake` is called on the watcher's thread whenever pending changes have appeared. The watcher ends
// its thread in its destructor, after which no call happens.
Result<std::unique_ptr<Watcher>> make_inotify_watcher(std::function<void()> wake);

// The value of fs.inotify.max_user_watches, 0 if unknown.
uint64_t inotify_watch_limit();

}  // namespace resident
