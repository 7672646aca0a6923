#include "watch/linux/inotify/inotify_watcher.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "os/unique_fd.h"
#include "watch/linux/inotify/inotify_queue.h"
#include "watch/linux/kernel_events.h"
#include "watch/linux/queue_user.h"
#include "watch/local_file_system.h"

namespace resident {

namespace {

constexpr uint32_t kDirectoryFlags = IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD;
constexpr uint32_t kFileMask = IN_MODIFY | IN_ATTRIB | IN_DONT_FOLLOW | IN_MASK_ADD;

class InotifyWatcher final : public Watcher {
 public:
  explicit InotifyWatcher(std::function<void()> wake) : user_(std::move(wake)) {
    (void)user_.queue();
  }

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override {
    // Watches by descriptor, so that a rename of a parent cannot lead to another directory. The
    // magic link must be followed. The directory is already open, so the link leads only to it.
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", static_cast<int>(directory.handle()));
    return watch(path, events_of(scope) | kDirectoryFlags);
  }

  Result<Added> add_file(const std::string& path) override {
    return watch(path.c_str(), kFileMask);
  }

  void remove(WatchId id) override { user_.remove(id); }
  Batch drain() override {
    (void)user_.queue();
    return user_.drain();
  }

  bool tells_everything(const Directory& directory) const override {
    return is_on_local_file_system(directory);
  }

  std::optional<WatchShortage> shortage(uint64_t watched, uint64_t missing) const override {
    if (!why_nothing().empty()) return std::nullopt;
    return inotify_shortage(watched, missing);
  }
  std::string why_nothing() const override { return user_.refusal(); }

 private:
  Result<Added> watch(const char* path, uint32_t mask) {
    InotifyQueue* queue = user_.queue();
    if (!queue) return Added{kNoWatch, true};
    return queue->watch(user_.number(), path, mask);
  }

  QueueUser<InotifyQueue> user_;
};

}  // namespace

std::unique_ptr<Watcher> make_inotify_watcher(std::function<void()> wake) {
  return std::make_unique<InotifyWatcher>(std::move(wake));
}

uint64_t inotify_watch_limit() {
  const UniqueFd file(::open("/proc/sys/fs/inotify/max_user_watches", O_RDONLY | O_CLOEXEC));
  // The kernel returns the whole value in one read; a second read finds the end.
  char text[32];
  const ssize_t count = file.valid() ? ::read(file.get(), text, sizeof text) : 0;
  uint64_t limit = 0;
  if (count > 0) std::from_chars(text, text + count, limit);
  return limit;
}

// The limit counts the watches of all programs. If one program gets no watch, all are in use.
WatchShortage inotify_shortage(uint64_t watched, uint64_t missing) {
  const std::string limit = "fs.inotify.max_user_watches";
  const uint64_t needed = std::max(watched, inotify_watch_limit()) + missing;
  return {limit, needed, "sudo sysctl -w " + limit + "=" + std::to_string(needed)};
}

}  // namespace resident
