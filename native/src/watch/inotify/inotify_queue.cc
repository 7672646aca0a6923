#include "watch/inotify/inotify_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/process_wide.h"

namespace resident {

namespace {

// So many watches are removed between two looks at the queue, which tells of each of them: it must
// not overflow by that.
constexpr size_t kRemovedAtOnce = 1024;

}  // namespace

Result<std::shared_ptr<InotifyQueue>> InotifyQueue::of_process() {
  return process_wide<InotifyQueue>([]() -> Result<std::shared_ptr<InotifyQueue>> {
    UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!queue.valid()) return error_from_errno(errno, "inotify_init1");
    UniqueFd stop(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (!stop.valid()) return error_from_errno(errno, "eventfd");
    return std::shared_ptr<InotifyQueue>(new InotifyQueue(std::move(queue), std::move(stop)));
  });
}

InotifyQueue::InotifyQueue(UniqueFd queue, UniqueFd stop)
    : queue_(std::move(queue)), stop_(std::move(stop)) {
  reader_ = std::thread([this] { read_loop(); });
}

InotifyQueue::~InotifyQueue() {
  uint64_t one = 1;
  // An eventfd takes a write of one at any time but at its maximum.
  (void)!::write(stop_.get(), &one, sizeof one);
  reader_.join();
}

InotifyQueue::WatcherNumber InotifyQueue::add_watcher(PendingChanges& pending,
                                                      std::function<void()> wake) {
  MutexLock lock(mutex_);
  watchers_.emplace(++last_number_, Registered{&pending, std::move(wake)});
  return last_number_;
}

void InotifyQueue::remove_watcher(WatcherNumber watcher) {
  std::vector<WatchId> unwanted;
  {
    // Nobody is being woken then.
    MutexLock reading(read_mutex_);
    MutexLock lock(mutex_);
    watchers_.erase(watcher);
    for (const WatchId id : watches_.of(watcher)) {
      if (watches_.remove(id, watcher)) unwanted.push_back(id);
    }
  }
  for (size_t i = 0; i < unwanted.size(); ++i) {
    {
      MutexLock lock(mutex_);
      // Somebody else may want it by now.
      bool is_wanted = false;
      watches_.for_each(unwanted[i], [&](WatcherNumber, uint32_t) { is_wanted = true; });
      if (!is_wanted) ::inotify_rm_watch(queue_.get(), unwanted[i]);
    }
    if (i % kRemovedAtOnce == kRemovedAtOnce - 1) read(watcher);
  }
}

Result<Watcher::Added> InotifyQueue::watch(WatcherNumber watcher, const char* path, uint32_t mask) {
  // By each thread of a scan, once for each directory.
  MutexLock lock(mutex_, MutexLock::Spinning());
  const int id = ::inotify_add_watch(queue_.get(), path, mask);
  if (id < 0 && errno == ENOSPC) return Watcher::Added{kNoWatch, true};
  if (id < 0) return error_from_errno(errno, "inotify_add_watch");
  watches_.add(id, watcher, mask);
  return Watcher::Added{id, false};
}

void InotifyQueue::remove_watch(WatcherNumber watcher, WatchId id) {
  MutexLock lock(mutex_);
  if (watches_.remove(id, watcher)) ::inotify_rm_watch(queue_.get(), id);
}

void InotifyQueue::read_loop() {
  std::array<pollfd, 2> fds{{{queue_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
  for (;;) {
    const int ready = ::poll(fds.data(), fds.size(), -1);
    if (ready < 0 && errno != EINTR) {
      MutexLock reading(read_mutex_);
      {
        MutexLock lock(mutex_);
        desync_all("poll on the inotify queue failed", PendingChanges::Lost::kWatches);
      }
      return wake_all_but(0);
    }
    if (fds[1].revents != 0) return;
    read(0);
  }
}

void InotifyQueue::read(WatcherNumber asker) {
  MutexLock lock(read_mutex_);
  read_queued();
  wake_all_but(asker);
}

// Hands everything that the kernel has queued to those who want it.
void InotifyQueue::read_queued() {
  for (;;) {
    const ssize_t count = ::read(queue_.get(), buffer_.data(), buffer_.size());
    if (count <= 0) {
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno != EAGAIN) {
        MutexLock lock(mutex_);
        desync_all("reading the inotify queue failed", PendingChanges::Lost::kWatches);
      }
      return;
    }
    MutexLock lock(mutex_);
    for (ssize_t at = 0; at < count;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer_.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      take(*event);
    }
  }
}

void InotifyQueue::take(const inotify_event& event) {
  if (event.mask & IN_Q_OVERFLOW) {
    return desync_all("the inotify queue overflowed", PendingChanges::Lost::kEvents);
  }
  if (event.mask & IN_IGNORED) return watches_.remove_all(event.wd);
  const std::string_view name = event.len ? std::string_view(event.name) : std::string_view();
  const bool arrived = (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0;
  // Under mutex_, which the analysis does not follow into a lambda.
  watches_.for_each(event.wd, [&](WatcherNumber number, uint32_t mask) NO_THREAD_SAFETY_ANALYSIS {
    const auto watcher = watchers_.find(number);
    if (watcher == watchers_.end()) return;
    if (event.mask & IN_UNMOUNT) {
      watcher->second.pending->desync("a file system was unmounted",
                                      PendingChanges::Lost::kWatches);
    } else if (event.mask & mask) {
      watcher->second.pending->mark(event.wd, name, {arrived});
    } else {
      return;
    }
    note_news(number, watcher->second);
  });
}

void InotifyQueue::note_news(WatcherNumber number, Registered& watcher) {
  if (!std::exchange(watcher.has_news, true)) with_news_.push_back(number);
}

void InotifyQueue::desync_all(const char* reason, PendingChanges::Lost lost) {
  for (auto& [number, watcher] : watchers_) {
    watcher.pending->desync(reason, lost);
    note_news(number, watcher);
  }
}

void InotifyQueue::wake_all_but(WatcherNumber asker) {
  std::vector<const std::function<void()>*> wakes;
  {
    MutexLock lock(mutex_);
    for (const WatcherNumber number : std::exchange(with_news_, {})) {
      const auto watcher = watchers_.find(number);
      if (watcher == watchers_.end()) continue;
      watcher->second.has_news = false;
      if (number != asker) wakes.push_back(&watcher->second.wake);
    }
  }
  // Nobody is removed meanwhile: that takes read_mutex_ too.
  for (const std::function<void()>* wake : wakes) (*wake)();
}

}  // namespace resident
