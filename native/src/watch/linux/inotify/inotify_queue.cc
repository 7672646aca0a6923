#include "watch/linux/inotify/inotify_queue.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include "base/process_wide.h"
#include "watch/linux/kernel_events.h"

namespace resident {

Result<std::shared_ptr<InotifyQueue>> InotifyQueue::of_process() {
  return process_wide<InotifyQueue>([] { return make(); });
}

Result<std::shared_ptr<InotifyQueue>> InotifyQueue::make() {
  UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue.valid()) {
    return with_advice(error_from_errno(errno, "inotify_init1"),
                       "fs.inotify.max_user_instances, or the limit on open files");
  }
  std::shared_ptr<InotifyQueue> made(new InotifyQueue(std::move(queue)));
  RESIDENT_CHECK(made->start());
  return made;
}

InotifyQueue::InotifyQueue(UniqueFd queue)
    : WatchQueue(std::move(queue),
                 {"the inotify queue overflowed", "reading the inotify queue failed",
                  "poll on the inotify queue failed"}) {
}

Result<Watcher::Added> InotifyQueue::watch(WatcherNumber watcher, const char* path, uint32_t mask) {
  int id = kNoWatch;
  return add(
      watcher, mask, "inotify_add_watch",
      [&] {
        id = ::inotify_add_watch(descriptor(), path, mask);
        return id < 0 ? errno : 0;
      },
      [&] { return id; });
}

void InotifyQueue::end_watches(const std::vector<WatchId>& watches) {
  for (const WatchId id : watches) ::inotify_rm_watch(descriptor(), id);
}

void InotifyQueue::take(std::span<const char> events) {
  while (!events.empty()) {
    const auto* event = reinterpret_cast<const inotify_event*>(events.data());
    events = events.subspan(sizeof(inotify_event) + event->len);
    if (event->mask & IN_Q_OVERFLOW) {
      mark_overflow();
    } else if (event->mask & IN_IGNORED) {
      watches_.remove_all(event->wd);
    } else if (event->mask & IN_UNMOUNT) {
      lose_file_system(event->wd);
    } else {
      const std::string_view name = event->len ? std::string_view(event->name) : std::string_view();
      mark(event->wd, name, {(event->mask & kArrivalEvents) != 0}, event->mask);
    }
  }
}

}  // namespace resident
