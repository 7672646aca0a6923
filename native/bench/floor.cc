#include "bench/floor.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <thread>
#include <vector>

#include "os/unique_fd.h"

namespace resident::bench {

namespace {

constexpr uint32_t kMask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                           IN_ATTRIB | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                           IN_EXCL_UNLINK;
constexpr size_t kRangesPerThread = 32;

// One thread's walk over ranges of the plan.
class Walker {
 public:
  Walker(const DirectoryPlan& plan, int root, FloorWork work, int queue)
      : plan_(plan), root_(root), work_(work), queue_(queue) {}

  void walk(DirectoryPlan::Range range) {
    for (uint32_t d = range.begin; d < range.end; ++d) {
      if (work_ == FloorWork::kWatch) {
        watch(d);
      } else {
        look(d);
      }
    }
    open_.clear();
  }

  const FloorResult& result() const { return result_; }
  int error() const { return error_; }

 private:
  struct Open {
    uint32_t directory;
    UniqueFd fd;
  };

  void watch(uint32_t d) {
    ++result_.directories;
    const char* path = plan_.text(plan_.directories()[d].path);
    if (::inotify_add_watch(queue_, path, kMask) >= 0) return;
    if (errno == ENOENT) {
      ++result_.missing;
    } else {
      error_ = errno;
    }
  }

  // Returns the descriptor from which `d` is opened, and its name there.
  int enter(uint32_t d) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
    const DirectoryPlan::Directory& directory = plan_.directories()[d];
    while (!open_.empty() && open_.back().directory != directory.parent) open_.pop_back();
    const int fd = open_.empty()
                       ? ::openat(root_, plan_.text(directory.path), kFlags)
                       : ::openat(open_.back().fd.get(), plan_.text(directory.name), kFlags);
    if (fd >= 0) open_.push_back({d, UniqueFd(fd)});
    return fd;
  }

  void look(uint32_t d) {
    ++result_.directories;
    const DirectoryPlan::Directory& directory = plan_.directories()[d];
    const int fd = enter(d);
    if (fd < 0) {
      ++result_.missing;
      return;
    }
    struct stat st;
    ::fstat(fd, &st);
    if (work_ == FloorWork::kCold) list(fd);
    for (uint32_t i = 0; i < directory.file_count; ++i) {
      const char* name = plan_.text(plan_.files()[directory.first_file + i]);
      if (::fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        ++result_.files;
      } else {
        ++result_.missing;
      }
    }
  }

  void list(int fd) {
    for (;;) {
      const long count = ::syscall(SYS_getdents64, fd, buffer_.data(), buffer_.size());
      if (count <= 0) return;
      for (long at = 0; at < count; ++result_.names) {
        at += reinterpret_cast<const dirent64*>(buffer_.data() + at)->d_reclen;
      }
    }
  }

  const DirectoryPlan& plan_;
  const int root_;
  const FloorWork work_;
  const int queue_;
  FloorResult result_;
  int error_ = 0;
  std::vector<Open> open_;
  alignas(dirent64) std::array<char, 64 * 1024> buffer_{};
};

}  // namespace

Result<FloorResult> walk_floor(const std::string& worktree, const DirectoryPlan& plan,
                               FloorWork work, unsigned threads) {
  const UniqueFd root(::open(worktree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // inotify_add_watch takes no directory descriptor.
  if (!root.valid() || ::fchdir(root.get()) != 0) return error_from_errno(errno, worktree);
  const UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue.valid()) return error_from_errno(errno, "inotify_init1");

  const std::vector<DirectoryPlan::Range> ranges = plan.split(threads * kRangesPerThread);
  std::vector<std::unique_ptr<Walker>> walkers;
  for (unsigned i = 0; i < threads; ++i) {
    walkers.push_back(std::make_unique<Walker>(plan, root.get(), work, queue.get()));
  }
  std::atomic<size_t> next{0};
  const auto run = [&](Walker& walker) {
    for (size_t i = next++; i < ranges.size(); i = next++) walker.walk(ranges[i]);
  };
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i)
    helpers.emplace_back([&run, &walkers, i] { run(*walkers[i]); });
  run(*walkers[0]);
  for (std::thread& helper : helpers) helper.join();
  FloorResult result;
  result.time = std::chrono::steady_clock::now() - start;

  for (const auto& walker : walkers) {
    if (walker->error() != 0) return error_from_errno(walker->error(), "inotify_add_watch");
    result.directories += walker->result().directories;
    result.files += walker->result().files;
    result.missing += walker->result().missing;
    result.names += walker->result().names;
  }
  return result;
}

}  // namespace resident::bench
