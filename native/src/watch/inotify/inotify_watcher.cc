#include "watch/inotify/inotify_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <thread>

#include "base/unique_fd.h"
#include "fs/posix_file_system.h"
#include "watch/pending_changes.h"

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
  InotifyWatcher(UniqueFd queue, UniqueFd stop, std::function<void()> wake)
      : queue_(std::move(queue)), stop_(std::move(stop)), wake_(std::move(wake)) {
    reader_ = std::thread([this] { read_loop(); });
  }

  ~InotifyWatcher() override {
    uint64_t one = 1;
    // An eventfd takes a write of one at any time but at its maximum.
    (void)!::write(stop_.get(), &one, sizeof one);
    reader_.join();
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

  void remove(WatchId id) override { ::inotify_rm_watch(queue_.get(), id); }

  Batch drain() override {
    read_queue();
    return pending_.take();
  }

  bool tells_everything(const Directory& directory) const override {
    struct statfs found {};
    return ::fstatfs(static_cast<int>(directory.handle()), &found) == 0 &&
           is_local(static_cast<uint32_t>(found.f_type));
  }

  uint64_t limit_of_all() const override { return inotify_watch_limit(); }

 private:
  Result<Added> watch(const char* path, uint32_t mask) {
    int id = ::inotify_add_watch(queue_.get(), path, mask);
    if (id >= 0) return Added{id, false};
    if (errno == ENOSPC) return Added{kNoWatch, true};
    return error_from_errno(errno, "inotify_add_watch");
  }

  void read_loop() {
    std::array<pollfd, 2> fds{{{queue_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    for (;;) {
      int ready = ::poll(fds.data(), fds.size(), -1);
      if (ready < 0 && errno != EINTR) {
        pending_.desync("poll on the inotify queue failed", PendingChanges::Lost::kWatches);
        wake_();
        return;
      }
      if (fds[1].revents != 0) return;
      read_queue();
      if (!pending_.empty()) wake_();
    }
  }

  // Moves everything that the kernel has queued into pending_.
  void read_queue() EXCLUDES(read_mutex_) {
    MutexLock lock(read_mutex_);
    for (;;) {
      ssize_t count = ::read(queue_.get(), buffer_.data(), buffer_.size());
      if (count <= 0) {
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno != EAGAIN) {
          pending_.desync("reading the inotify queue failed", PendingChanges::Lost::kWatches);
        }
        return;
      }
      for (ssize_t at = 0; at < count;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer_.data() + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        take(*event);
      }
    }
  }

  void take(const inotify_event& event) {
    if (event.mask & IN_Q_OVERFLOW) {
      pending_.desync("the inotify queue overflowed", PendingChanges::Lost::kEvents);
    } else if (event.mask & IN_UNMOUNT) {
      pending_.desync("a file system was unmounted", PendingChanges::Lost::kWatches);
    } else if (!(event.mask & IN_IGNORED)) {
      std::string_view name = event.len ? std::string_view(event.name) : std::string_view();
      pending_.mark(event.wd, name, {(event.mask & (IN_CREATE | IN_MOVED_TO)) != 0});
    }
  }

  // Constant after construction.
  UniqueFd queue_;
  UniqueFd stop_;
  std::function<void()> wake_;

  PendingChanges pending_;
  Mutex read_mutex_;
  alignas(inotify_event) std::array<char, 64 * 1024> buffer_ GUARDED_BY(read_mutex_);
  std::thread reader_;
};

}  // namespace

Result<std::unique_ptr<Watcher>> make_inotify_watcher(std::function<void()> wake) {
  UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue.valid()) return error_from_errno(errno, "inotify_init1");
  UniqueFd stop(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!stop.valid()) return error_from_errno(errno, "eventfd");
  return std::unique_ptr<Watcher>(
      new InotifyWatcher(std::move(queue), std::move(stop), std::move(wake)));
}

uint64_t inotify_watch_limit() {
  const Result<std::string> text =
      posix_file_system().read_file("/proc/sys/fs/inotify/max_user_watches");
  uint64_t limit = 0;
  if (text.ok()) std::from_chars(text->data(), text->data() + text->size(), limit);
  return limit;
}

}  // namespace resident
