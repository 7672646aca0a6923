#include "bench/worktree_edits.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace resident::bench {

namespace {

constexpr std::string_view kLine = "// edited\n";
constexpr uint16_t kRegular = 0100000;
constexpr uint16_t kKindMask = 0170000;

}  // namespace

Result<WorktreeEdits> WorktreeEdits::open(const std::string& worktree) {
  UniqueFd root(::open(worktree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return error_from_errno(errno, worktree);
  return WorktreeEdits(std::move(root));
}

std::vector<std::string> WorktreeEdits::choose(const Index& index, size_t count,
                                               size_t salt) const {
  // Skips files such as .gitignore: an edit would change the status of other files.
  const auto is_plain = [&index](const IndexEntry& entry) {
    return (entry.mode & kKindMask) == kRegular && entry.stage() == 0 && !entry.skip_worktree() &&
           !index.name(entry).starts_with(".git");
  };
  std::vector<std::string> paths;
  const size_t all = index.entries().size();
  const size_t stride = std::max<size_t>(1, all / std::max<size_t>(1, count));
  for (size_t begin = 0; begin < all && paths.size() < count; begin += stride) {
    const size_t end = std::min(all, begin + stride);
    for (size_t i = 0; begin + i < end; ++i) {
      const IndexEntry& entry = index.entries()[begin + (salt + i) % (end - begin)];
      if (!is_plain(entry)) continue;
      paths.push_back(index.path(entry));
      break;
    }
  }
  return paths;
}

Result<void> WorktreeEdits::apply(std::vector<std::string> paths) {
  for (std::string& path : paths) {
    const UniqueFd fd(
        ::openat(root_.get(), path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
    struct stat st;
    if (!fd.valid() || ::fstat(fd.get(), &st) != 0) return error_from_errno(errno, path);
    applied_.push_back({std::move(path), st.st_size});
    if (::write(fd.get(), kLine.data(), kLine.size()) != static_cast<ssize_t>(kLine.size())) {
      return error_from_errno(errno, applied_.back().path);
    }
  }
  return {};
}

Result<void> WorktreeEdits::undo() {
  for (const Edit& edit : applied_) {
    const UniqueFd fd(::openat(root_.get(), edit.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!fd.valid() || ::ftruncate(fd.get(), edit.size) != 0) {
      return error_from_errno(errno, edit.path);
    }
  }
  applied_.clear();
  return {};
}

}  // namespace resident::bench
