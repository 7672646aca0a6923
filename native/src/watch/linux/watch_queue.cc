#include "watch/linux/watch_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "os/threads.h"

namespace resident {

namespace {

// Number of watches that are ended while no watch can be added, and before the queue is read again.
// The kernel queues an event for each ended watch, which must not overflow the queue.
constexpr size_t kSlice = 64;

}  // namespace

Error with_advice(Error error, const char* limit) {
  error.message.append(": raise ").append(limit);
  return error;
}

WatchQueue::WatchQueue(UniqueFd queue, const Reasons& reasons)
    : queue_(std::move(queue)), call_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)), reasons_(reasons) {
}

Result<void> WatchQueue::start() {
  if (!call_.valid()) {
    return with_advice(error_from_errno(errno, "eventfd"), "the limit on open files");
  }
  Result<std::thread> reader = start_thread([this] { read_loop(); });
  if (!reader.ok()) {
    return with_advice(std::move(reader).error(), "the limit on processes and threads");
  }
  reader_ = std::move(reader).value();
  return {};
}

void WatchQueue::stop() {
  stopped_ = true;
  call_reader();
  if (reader_.joinable()) reader_.join();
}

void WatchQueue::call_reader() {
  const uint64_t one = 1;
  // A write of 1 to an eventfd fails only at its maximum.
  (void)!::write(call_.get(), &one, sizeof one);
}

WatchQueue::WatcherNumber WatchQueue::add_watcher(PendingChanges& pending,
                                                  std::function<void()> wake) {
  MutexLock lock(mutex_);
  watchers_.emplace(++last_number_, Registered{&pending, std::move(wake)});
  return last_number_;
}

void WatchQueue::remove_watcher(WatcherNumber watcher) {
  // Ends earlier unwanted watches first, so that short-lived watchers do not accumulate watches.
  while (end_unwanted()) read(watcher);
  {
    // Holding read_mutex_ means that no watcher is being woken.
    MutexLock reading(read_mutex_);
    MutexLock lock(mutex_);
    watchers_.erase(watcher);
    const std::vector<WatchId> left = watches_.remove_watcher(watcher);
    unwanted_.insert(unwanted_.end(), left.begin(), left.end());
  }
  call_reader();
}

bool WatchQueue::has_unwanted() {
  MutexLock lock(mutex_);
  return !unwanted_.empty();
}

bool WatchQueue::end_unwanted() {
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
  end_watches(slice);
  ++ended_;
  return true;
}

void WatchQueue::remove_watch(WatcherNumber watcher, WatchId id) {
  {
    MutexLock lock(mutex_);
    if (!watches_.remove(id, watcher)) return;
    unwanted_.push_back(id);
  }
  end_soon();
}

void WatchQueue::read_loop() {
  begin_reading();
  std::array<pollfd, 2> fds{{{queue_.get(), POLLIN, 0}, {call_.get(), POLLIN, 0}}};
  for (bool has_more = false; !stopped_;) {
    const int ready = ::poll(fds.data(), fds.size(), has_more ? 0 : -1);
    if (ready < 0 && errno != EINTR) {
      MutexLock reading(read_mutex_);
      {
        MutexLock lock(mutex_);
        desync_all(reasons_.not_polled, PendingChanges::Lost::kWatches);
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

void WatchQueue::read(WatcherNumber client) {
  MutexLock lock(read_mutex_);
  read_queued();
  wake_all_but(client);
}

// Passes all events in the kernel's queue to the watchers that want them.
void WatchQueue::read_queued() {
  for (;;) {
    const ssize_t count = ::read(queue_.get(), buffer_.data(), buffer_.size());
    if (count <= 0) {
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno != EAGAIN) {
        MutexLock lock(mutex_);
        desync_all(reasons_.not_read, PendingChanges::Lost::kWatches);
      }
      return;
    }
    MutexLock lock(mutex_);
    take(std::span(buffer_).first(static_cast<size_t>(count)));
  }
}

void WatchQueue::mark(WatchId watch, std::string_view name, NameMark mark, uint32_t mask) {
  // Called under mutex_, which the analysis does not follow into a lambda.
  watches_.for_each(watch, [&](WatcherNumber number, uint32_t wanted) NO_THREAD_SAFETY_ANALYSIS {
    const auto watcher = watchers_.find(number);
    if (watcher == watchers_.end() || (mask & wanted) == 0) return;
    watcher->second.pending->mark(watch, name, mark);
    mark_ready(number, watcher->second);
  });
}

void WatchQueue::lose_file_system(WatchId watch) {
  watches_.for_each(watch, [&](WatcherNumber number, uint32_t) NO_THREAD_SAFETY_ANALYSIS {
    const auto watcher = watchers_.find(number);
    if (watcher == watchers_.end()) return;
    watcher->second.pending->desync("a file system was unmounted", PendingChanges::Lost::kWatches);
    mark_ready(number, watcher->second);
  });
}

void WatchQueue::mark_ready(WatcherNumber number, Registered& watcher) {
  if (!std::exchange(watcher.has_news, true)) with_news_.push_back(number);
}

void WatchQueue::desync_all(const char* reason, PendingChanges::Lost lost) {
  for (auto& [number, watcher] : watchers_) {
    watcher.pending->desync(reason, lost);
    mark_ready(number, watcher);
  }
}

void WatchQueue::wake_all_but(WatcherNumber client) {
  std::vector<const std::function<void()>*> wakes;
  {
    MutexLock lock(mutex_);
    for (const WatcherNumber number : std::exchange(with_news_, {})) {
      const auto watcher = watchers_.find(number);
      if (watcher == watchers_.end()) continue;
      watcher->second.has_news = false;
      if (number != client) wakes.push_back(&watcher->second.wake);
    }
  }
  // No watcher is removed meanwhile, because remove_watcher() needs read_mutex_ too.
  for (const std::function<void()>* wake : wakes) (*wake)();
}

}  // namespace resident
