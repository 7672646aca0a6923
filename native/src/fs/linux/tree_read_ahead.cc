#include "fs/linux/tree_read_ahead.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/linux/kernel_entry.h"
#include "os/threads.h"
#include "os/unique_fd.h"
#include "parallel/work_stack.h"

namespace resident {

namespace {

// A disk serves this many parallel reads faster than sequential ones.
constexpr unsigned kReaders = 8;

// openat2(2) is newer than the oldest headers.
UniqueFd open_on_same_device(int root, const std::string& path) {
  struct {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
  } how{O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0};
  constexpr long kCall = 437;
  constexpr uint64_t kNoOtherDevice = 0x01, kNoLinks = 0x04;
  how.resolve = kNoOtherDevice | kNoLinks;
  return UniqueFd(static_cast<int>(::syscall(kCall, root, path.c_str(), &how, sizeof how)));
}

bool is_left_out(std::string_view name) {
  return name == "." || name == ".." || name == ".git";
}

}  // namespace

struct TreeReadAhead::State {
  explicit State(uint32_t limit) : left(limit) {}

  std::atomic<bool> stopped = false;
  std::atomic<int64_t> left;  // directories that may still be read
  std::atomic<uint32_t> directories = 0;
  std::atomic<uint32_t> names = 0;
  std::atomic<bool> ended = false;

  // Calls `push` with the path of each directory in `path`, relative to `root`.
  template <typename Push>
  void read(int root, const std::string& path, Push&& push) {
    if (stopped) return;
    const UniqueFd directory = open_on_same_device(root, path);
    if (!directory.valid()) return;
    ++directories;
    alignas(KernelEntry) std::array<char, 32 * 1024> buffer;
    while (!stopped) {
      const long count = ::syscall(SYS_getdents64, directory.get(), buffer.data(), buffer.size());
      if (count <= 0) return;
      for (long at = 0; at < count && !stopped;) {
        const auto* entry = reinterpret_cast<const KernelEntry*>(buffer.data() + at);
        at += entry->d_reclen;
        if (is_left_out(entry->d_name)) continue;
        if (entry->d_type == DT_DIR) {
          if (--left >= 0) push(path + "/" + entry->d_name);
          continue;
        }
        struct stat st;
        (void)::fstatat(directory.get(), entry->d_name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
        ++names;
      }
    }
  }

  void read_all(const std::string& path) {
    const UniqueFd root(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!root.valid() || --left < 0) return;
    run_work(kReaders, std::vector<std::string>{"."},
             [&](const std::string& below, auto&& push, unsigned) {
               read(root.get(), below, std::forward<decltype(push)>(push));
             });
  }
};

TreeReadAhead::TreeReadAhead(const std::string& root, uint32_t limit)
    : state_(std::make_shared<State>(limit)) {
  Result<std::thread> thread = start_thread([root, state = state_] {
    try {
      state->read_all(root);
    } catch (...) {
      // Out of memory: stop reading.
    }
    state->ended = true;
  });
  if (thread.ok()) {
    thread->detach();
  } else {
    state_->ended = true;
  }
}

void TreeReadAhead::stop() {
  state_->stopped = true;
}

TreeReadAhead::Progress TreeReadAhead::progress() const {
  // `ended` is read first: if it is true, the counts are final.
  const bool ended = state_->ended;
  return {state_->directories, state_->names, ended};
}

}  // namespace resident
