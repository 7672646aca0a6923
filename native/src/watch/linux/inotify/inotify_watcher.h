// Watcher over inotify(7). It shares the process's inotify instance with others (InotifyQueue).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "watch/watcher.h"

namespace resident {

// `wake` is called when new changes are pending. It runs on the queue's thread, or on a thread that
// drains another watcher. It is not called after the destructor.
//
// If no inotify instance can be had, add() reports `at_limit`, and the next add() tries again.
std::unique_ptr<Watcher> make_inotify_watcher(std::function<void()> wake);

// The value of fs.inotify.max_user_watches; 0: unknown.
uint64_t inotify_watch_limit();

// The value that suffices for `missing` directories more, beside the `watched` ones.
WatchShortage inotify_shortage(uint64_t watched, uint64_t missing);

}  // namespace resident
