// Watcher over inotify(7): one of those that share the process's inotify instance (InotifyQueue).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake` is called whenever pending changes have appeared, on a thread of the queue's or of whoever
// drains another watcher; no call happens after the destructor.
//
// Where there is no instance to be had, add() is at the limit, and the next one tries again.
std::unique_ptr<Watcher> make_inotify_watcher(std::function<void()> wake);

// The value of fs.inotify.max_user_watches, 0 if unknown.
uint64_t inotify_watch_limit();

}  // namespace resident
