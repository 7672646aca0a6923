#include "watch/linux/fanotify/fanotify_queue.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/process_wide.h"
#include "watch/linux/kernel_events.h"

namespace resident {

namespace {

// Values of linux/fanotify.h. The headers of the oldest supported system lack them.
constexpr unsigned kReportDirectoryAndName = 0x400 | 0x800;  // FAN_REPORT_DFID_NAME
constexpr unsigned kOnlyDirectory = 0x8;                     // FAN_MARK_ONLYDIR

// Returns the path of an open directory; empty if it has none.
std::string path_of(int directory) {
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  std::array<char, PATH_MAX> path;
  const ssize_t length = ::readlink(link, path.data(), path.size());
  const bool is_whole = length > 0 && static_cast<size_t>(length) < path.size();
  return is_whole ? std::string(path.data(), static_cast<size_t>(length)) : std::string();
}

}  // namespace

Result<std::shared_ptr<FanotifyQueue>> FanotifyQueue::of_process() {
  return process_wide<FanotifyQueue>([] { return make(); });
}

Result<std::shared_ptr<FanotifyQueue>> FanotifyQueue::make() {
  UniqueFd queue(::fanotify_init(
      FAN_CLASS_NOTIF | kReportDirectoryAndName | FAN_CLOEXEC | FAN_NONBLOCK, O_RDONLY));
  if (!queue.valid()) return error_from_errno(errno, "fanotify_init");
  std::shared_ptr<FanotifyQueue> made(new FanotifyQueue(std::move(queue)));
  RESIDENT_CHECK(made->start());
  return made;
}

FanotifyQueue::FanotifyQueue(UniqueFd queue)
    : WatchQueue(std::move(queue),
                 {"the fanotify queue overflowed", "reading the fanotify queue failed",
                  "poll on the fanotify queue failed"}) {
}

bool FanotifyQueue::has(int directory) {
  {
    MutexLock lock(mutex_);
    if (directories_.size() == 0) return false;
  }
  const std::optional<DirectoryKey> key = DirectoryKey::of(directory);
  MutexLock lock(mutex_);
  return key && watches_.is_wanted(directories_.find(key->bytes()));
}

// False: events of another file system have the same keys.
bool FanotifyQueue::is_only_one(const DirectoryKey& key, int directory) {
  constexpr size_t kMax = 256;
  struct stat found {};
  if (::fstat(directory, &found) != 0) return false;
  MutexLock lock(mutex_);
  if (devices_.size() >= kMax && !devices_.contains(key.file_system())) return false;
  return devices_.emplace(key.file_system(), found.st_dev).first->second == found.st_dev;
}

Result<Watcher::Added> FanotifyQueue::watch(WatcherNumber watcher, int directory, uint32_t events) {
  const std::optional<DirectoryKey> key = DirectoryKey::of(directory);
  if (!key || !is_only_one(*key, directory)) return Watcher::Added{kNoWatch, true};
  const std::string path = path_of(directory);
  const uint64_t mask =
      events | FAN_ONDIR | ((events & kContentEvents) != 0 ? FAN_EVENT_ON_CHILD : 0);
  for (;;) {
    int error = 0;
    Result<Watcher::Added> added = add(
        watcher, events, "fanotify_mark",
        [&] {
          const bool done = ::fanotify_mark(descriptor(), FAN_MARK_ADD | kOnlyDirectory, mask,
                                            directory, nullptr) == 0;
          return error = done ? 0 : errno;
        },
        [&]() NO_THREAD_SAFETY_ANALYSIS { return directories_.enter(key->bytes(), path); });
    if (error == ENOSPC) {
      ExclusiveLock alone(adding_);
      if (end_left(4)) continue;
    }
    const bool is_its_own = error == 0 || error == ENOTDIR || error == ENOENT || error == EACCES;
    return added.ok() || is_its_own ? std::move(added) : Watcher::Added{kNoWatch, true};
  }
}

void FanotifyQueue::end_watches(const std::vector<WatchId>& watches) {
  size_t left = 0;
  for (const WatchId id : watches) {
    std::string key, path;
    {
      MutexLock lock(mutex_);
      // Flushes all marks at once, without opening each directory.
      if (watches_.empty()) return end_all();
      const MarkedDirectories::Marked* const marked = directories_.find(id);
      if (!marked) continue;
      key = marked->key();
      path = marked->path();
    }
    const bool done = unmark(key, path);
    MutexLock lock(mutex_);
    if (done) {
      directories_.erase(id);
    } else {
      directories_.leave(id);
      left = directories_.left();
    }
  }
  // If events are lost, the deletion of a left directory can be missed, and its entry would remain.
  constexpr size_t kMaxLeft = 4096;
  if (left > kMaxLeft) (void)end_left(2);
}

// False: the path leads to another directory, or to none.
bool FanotifyQueue::unmark(const std::string& key, const std::string& path) {
  const UniqueFd directory(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!directory.valid()) return false;
  const std::optional<DirectoryKey> found = DirectoryKey::of(directory.get());
  if (!found || found->bytes() != key) return false;
  return ::fanotify_mark(descriptor(), FAN_MARK_REMOVE,
                         IN_ALL_EVENTS | FAN_ONDIR | FAN_EVENT_ON_CHILD, directory.get(),
                         nullptr) == 0 ||
         errno == ENOENT;
}

bool FanotifyQueue::end_left(size_t share) {
  {
    MutexLock lock(mutex_);
    if (directories_.left() * share <= directories_.size()) return false;
    end_all();
    desync_all("the directory watches are being restarted", PendingChanges::Lost::kWatches);
  }
  call_reader();
  return true;
}

void FanotifyQueue::end_all() {
  ::fanotify_mark(descriptor(), FAN_MARK_FLUSH, 0, AT_FDCWD, "/");
  watches_.clear();
  directories_.clear();
  devices_.clear();
}

void FanotifyQueue::take(std::span<const char> events) {
  const bool whole = for_each_event(
      events, [this](const FanotifyEvent& event) NO_THREAD_SAFETY_ANALYSIS { take(event); });
  if (!whole) mark_overflow();
}

void FanotifyQueue::take(const FanotifyEvent& event) {
  if (event.directory.empty()) return mark_overflow();
  const WatchId id = directories_.find(event.directory);
  if (id == kNoWatch) return;
  const auto mask = static_cast<uint32_t>(event.mask & IN_ALL_EVENTS);
  mark(id, event.name, {(mask & kArrivalEvents) != 0}, mask);
  if (event.name.empty() && (mask & IN_DELETE_SELF) != 0) {
    watches_.remove_all(id);
    directories_.erase(id);
  }
}

}  // namespace resident
