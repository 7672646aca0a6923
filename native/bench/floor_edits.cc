#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "bench/core.h"
#include "bench/directory_plan.h"
#include "bench/json.h"
#include "bench/samples.h"
#include "bench/worktree_edits.h"
#include "os/unique_fd.h"

namespace resident::bench {

namespace {

// One event for each edit: the queue can hold ten thousand edits.
constexpr uint32_t kEditMask = IN_CLOSE_WRITE | IN_ONLYDIR;

Result<UniqueFd> watch_all(const std::string& worktree, const Index& index) {
  UniqueFd queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue.valid()) return error_from_errno(errno, "inotify_init1");
  const DirectoryPlan plan(index);
  for (const DirectoryPlan::Directory& directory : plan.directories()) {
    const std::string path = worktree + "/" + plan.text(directory.path);
    if (::inotify_add_watch(queue.get(), path.c_str(), kEditMask) < 0 && errno != ENOENT) {
      return error_from_errno(errno, path);
    }
  }
  return queue;
}

// Returns the bytes read.
int64_t drain(int queue) {
  alignas(inotify_event) static std::array<char, 64 * 1024> buffer;
  int64_t sum = 0;
  for (ssize_t count; (count = ::read(queue, buffer.data(), buffer.size())) > 0;) sum += count;
  return sum;
}

}  // namespace

Result<std::string> floor_edits(const std::string& worktree, int count, int runs) {
  RESIDENT_TRY(WorktreeEdits edits, WorktreeEdits::open(worktree));
  RESIDENT_TRY(const auto index, Index::load(worktree + "/.git/index", {}));
  RESIDENT_TRY(const UniqueFd queue, watch_all(worktree, *index));
  Samples times;
  for (int run = 0; run < runs; ++run) {
    const std::vector<std::string> paths =
        edits.choose(*index, static_cast<size_t>(count), static_cast<size_t>(run) * 7);
    RESIDENT_CHECK(edits.apply(paths));
    const Clock clock;
    const int64_t bytes = drain(queue.get());
    for (const std::string& path : paths) {
      struct stat st;
      (void)::fstatat(edits.root(), path.c_str(), &st, AT_SYMLINK_NOFOLLOW);
    }
    times.push_back(clock.elapsed());
    RESIDENT_CHECK(edits.undo());
    drain(queue.get());
    if (bytes == 0) return Error{ErrorCode::kIo, worktree + ": edits make no events here"};
  }
  return JsonObject().add("ns", times).text();
}

}  // namespace resident::bench
