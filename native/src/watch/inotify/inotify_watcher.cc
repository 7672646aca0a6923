#include "watch/inotify/inotify_watcher.h"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <utility>

#include "base/unique_fd.h"
#include "fs/posix_file_system.h"
#include "watch/inotify/inotify_queue.h"

namespace resident {

namespace {

constexpr uint32_t kMask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                           IN_ATTRIB | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                           IN_EXCL_UNLINK | IN_MASK_ADD;
constexpr uint32_t kPlaceMask =
    IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD;

constexpr uint32_t kNamesMask = kPlaceMask | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr uint32_t kFileMask = IN_MODIFY | IN_ATTRIB | IN_DONT_FOLLOW | IN_MASK_ADD;

constexpr uint32_t mask_of(Watcher::Scope scope) {
  switch (scope) {
    case Watcher::Scope::kNames:
      return kNamesMask;
    case Watcher::Scope::kPlace:
      return kPlaceMask;
    case Watcher::Scope::kContents:
      break;
  }
  return kMask;
}

// linux/magic.h, and those that it lacks.
bool is_local(uint64_t type) {
  constexpr uint64_t kLocal[] = {
      0xef53,      // ext2, ext3, ext4
      0x58465342,  // xfs
      0x9123683e,  // btrfs
      0x01021994,  // tmpfs
      0x858458f6,  // ramfs
      0xf2f52010,  // f2fs
      0x2fc12fc1,  // zfs
      0xca451a4e,  // bcachefs
      0x794c7630,  // overlayfs
      0x4d44,      // vfat
      0x2011bab0,  // exfat
      0x7366746e,  // ntfs3
      0x3153464a,  // jfs
      0x52654973,  // reiserfs
      0x3434,      // nilfs2
      0x15013346,  // udf
      0x9660,      // iso9660
      0x73717368,  // squashfs
      0xe0f5e1e2,  // erofs
  };
  return std::find(std::begin(kLocal), std::end(kLocal), type) != std::end(kLocal);
}

class InotifyWatcher final : public Watcher {
 public:
  explicit InotifyWatcher(std::function<void()> wake) : wake_(std::move(wake)) { (void)queue(); }

  ~InotifyWatcher() override {
    MutexLock lock(mutex_);
    if (queue_) queue_->remove_watcher(number_);
  }

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override {
    // By descriptor, so that a rename of an ancestor cannot make us watch another directory. The
    // magic link must be followed; the directory itself is already open, so nothing else can be.
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", static_cast<int>(directory.handle()));
    return watch(path, mask_of(scope));
  }

  Result<Added> add_file(const std::string& path) override {
    return watch(path.c_str(), kFileMask);
  }

  void remove(WatchId id) override {
    if (InotifyQueue* queue = this->queue()) queue->remove_watch(number_, id);
  }

  Batch drain() override {
    if (InotifyQueue* queue = this->queue()) queue->read(number_);
    return pending_.take();
  }

  bool tells_everything(const Directory& directory) const override {
    struct statfs found {};
    return ::fstatfs(static_cast<int>(directory.handle()), &found) == 0 &&
           is_local(static_cast<uint32_t>(found.f_type));
  }

  uint64_t limit_of_all() const override { return inotify_watch_limit(); }

  std::string why_nothing() const override {
    MutexLock lock(mutex_);
    return refusal_;
  }

 private:
  // Null while there is none to be had; each time somebody asks, it is tried again.
  InotifyQueue* queue() EXCLUDES(mutex_) {
    if (InotifyQueue* found = found_.load(std::memory_order_acquire)) return found;
    MutexLock lock(mutex_);
    if (queue_) return queue_.get();
    Result<std::shared_ptr<InotifyQueue>> found = InotifyQueue::of_process();
    if (!found.ok()) {
      refusal_ = found.error().message;
      return nullptr;
    }
    refusal_.clear();
    queue_ = std::move(found).value();
    number_ = queue_->add_watcher(pending_, wake_);
    found_.store(queue_.get(), std::memory_order_release);
    return queue_.get();
  }

  Result<Added> watch(const char* path, uint32_t mask) {
    InotifyQueue* queue = this->queue();
    if (!queue) return Added{kNoWatch, true};
    return queue->watch(number_, path, mask);
  }

  const std::function<void()> wake_;
  PendingChanges pending_;
  mutable Mutex mutex_;
  std::shared_ptr<InotifyQueue> queue_ GUARDED_BY(mutex_);
  std::string refusal_ GUARDED_BY(mutex_);
  // Constant once there is one.
  std::atomic<InotifyQueue*> found_ = nullptr;
  InotifyQueue::WatcherNumber number_ = 0;
};

}  // namespace

std::unique_ptr<Watcher> make_inotify_watcher(std::function<void()> wake) {
  return std::make_unique<InotifyWatcher>(std::move(wake));
}

uint64_t inotify_watch_limit() {
  const UniqueFd file(::open("/proc/sys/fs/inotify/max_user_watches", O_RDONLY | O_CLOEXEC));
  // The kernel tells it in one read or not at all: a second one finds the end.
  char text[32];
  const ssize_t count = file.valid() ? ::read(file.get(), text, sizeof text) : 0;
  uint64_t limit = 0;
  if (count > 0) std::from_chars(text, text + count, limit);
  return limit;
}

}  // namespace resident
