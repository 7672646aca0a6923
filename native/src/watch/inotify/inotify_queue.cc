#include "watch/inotify/inotify_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/process_wide.h"
#include "base/start_thread.h"

namespace resident {

namespace {

// So many watches are ended while nobody can add one, and between two looks at the queue, which
// tells of each of them: it must not overflow by that.
constexpr size_t kSlice = 64;

Error with_advice(Error error, const char* advice) {
  error.message.append(": raise ").append(advice);
  return error;
}

Error no_descriptor(const char* call) {
  return with_advice(error_from_errno(errno, call),
                     "fs.inotify.max_user_instances, or the limit on open files");
}

}  // namespace

Result<std::shared_ptr<InotifyQueue>> InotifyQueue::of_process() {
  return process_wide<InotifyQueue>([] { return make(); });
}

Result<std::shared_ptr<InotifyQueue>> InotifyQueue::make() {
  UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue.valid()) return no_descriptor("inotify_init1");
  UniqueFd call(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!call.valid()) return no_descriptor("eventfd");
  std::shared_ptr<InotifyQueue> made(new InotifyQueue(std::move(queue), std::move(call)));
  Result<std::thread> reader = start_thread([made = made.get()] { made->read_loop(); });
  if (!reader.ok()) {
    return with_advice(std::move(reader).error(), "the limit on processes and threads");
  }
  made->reader_ = std::move(reader).value();
  return made;
}

InotifyQueue::InotifyQueue(UniqueFd queue, UniqueFd call)
    : queue_(std::move(queue)), call_(std::move(call)) {
}

InotifyQueue::~InotifyQueue() {
  stopped_ = true;
  call_reader();
  if (reader_.joinable()) reader_.join();
}

void InotifyQueue::call_reader() {
  const uint64_t one = 1;
  // An eventfd takes a write of one at any time but at its maximum.
  (void)!::write(call_.get(), &one, sizeof one);
}

InotifyQueue::WatcherNumber InotifyQueue::add_watcher(PendingChanges& pending,
                                                      std::function<void()> wake) {
  MutexLock lock(mutex_);
  watchers_.emplace(++last_number_, Registered{&pending, std::move(wake)});
  return last_number_;
}

void InotifyQueue::remove_watcher(WatcherNumber watcher) {
  // What others left comes first, so that watchers that come and go do not pile up watches.
  while (end_unwanted()) read(watcher);
  {
    // Nobody is being woken then.
    MutexLock reading(read_mutex_);
    MutexLock lock(mutex_);
    watchers_.erase(watcher);
    const std::vector<WatchId> left = watches_.remove_watcher(watcher);
    unwanted_.insert(unwanted_.end(), left.begin(), left.end());
  }
  call_reader();
}

bool InotifyQueue::has_unwanted() {
  MutexLock lock(mutex_);
  return !unwanted_.empty();
}

bool InotifyQueue::end_unwanted() {
  ExclusiveLock alone(adding_);
  std::vector<WatchId> slice;
  {
    MutexLock lock(mutex_);
    if (unwanted_.empty()) return false;
    const size_t left = unwanted_.size() - std::min(kSlice, unwanted_.size());
    slice.assign(unwanted_.begin() + static_cast<ptrdiff_t>(left), unwanted_.end());
    unwanted_.resize(left);
    std::erase_if(slice,
                  [this](WatchId id) NO_THREAD_SAFETY_ANALYSIS { return watches_.is_wanted(id); });
  }
  for (const WatchId id : slice) ::inotify_rm_watch(queue_.get(), id);
  ++ended_;
  return true;
}

Result<Watcher::Added> InotifyQueue::watch(WatcherNumber watcher, const char* path, uint32_t mask) {
  for (;;) {
    const uint64_t ended = ended_;
    {
      SharedLock adding(adding_);
      const int id = ::inotify_add_watch(queue_.get(), path, mask);
      if (id >= 0) {
        // By each thread of a scan, once for each directory.
        MutexLock lock(mutex_, MutexLock::Spinning());
        watches_.add(id, watcher, mask);
        return Watcher::Added{id, false};
      }
      if (errno != ENOSPC) return error_from_errno(errno, "inotify_add_watch");
    }
    // Those that nobody wants any more are no part of the limit.
    (void)end_unwanted();
    if (ended_ == ended) return Watcher::Added{kNoWatch, true};
  }
}

void InotifyQueue::remove_watch(WatcherNumber watcher, WatchId id) {
  {
    MutexLock lock(mutex_);
    if (!watches_.remove(id, watcher)) return;
    unwanted_.push_back(id);
  }
  (void)end_unwanted();
}

void InotifyQueue::read_loop() {
  std::array<pollfd, 2> fds{{{queue_.get(), POLLIN, 0}, {call_.get(), POLLIN, 0}}};
  for (bool has_more = false; !stopped_;) {
    const int ready = ::poll(fds.data(), fds.size(), has_more ? 0 : -1);
    if (ready < 0 && errno != EINTR) {
      MutexLock reading(read_mutex_);
      {
        MutexLock lock(mutex_);
        desync_all("poll on the inotify queue failed", PendingChanges::Lost::kWatches);
      }
      return wake_all_but(0);
    }
    if (ready > 0 && fds[1].revents != 0) {
      uint64_t calls = 0;
      (void)!::read(call_.get(), &calls, sizeof calls);
    }
    read(0);
    has_more = has_unwanted() && end_unwanted();
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
