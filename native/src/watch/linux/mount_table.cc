#include "watch/linux/mount_table.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "base/process_wide.h"
#include "base/thread_annotations.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

constexpr const char* kTable = "/proc/self/mountinfo";

}  // namespace

class MountTable::Shared {
 public:
  explicit Shared(UniqueFd table) : table_(std::move(table)) {}

  // Changes after each change of the mounts.
  uint64_t generation() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    // proc(5): poll reports a change since this open file's last poll as an exceptional condition.
    pollfd ready{table_.get(), POLLPRI, 0};
    if (::poll(&ready, 1, 0) != 0) ++generation_;
    return generation_;
  }

 private:
  const UniqueFd table_;
  Mutex mutex_;
  uint64_t generation_ GUARDED_BY(mutex_) = 0;
};

MountTable::MountTable(std::shared_ptr<Shared> shared)
    : shared_(std::move(shared)), seen_(shared_->generation()) {
}

Result<MountTable> MountTable::open() {
  RESIDENT_TRY(
      std::shared_ptr<Shared> shared, process_wide<Shared>([] {
        UniqueFd table(::open(kTable, O_RDONLY | O_CLOEXEC));
        if (table.valid()) {
          return Result<std::shared_ptr<Shared>>(std::make_shared<Shared>(std::move(table)));
        }
        return Result<std::shared_ptr<Shared>>(error_from_errno(errno, kTable));
      }));
  return MountTable(std::move(shared));
}

bool MountTable::changed() {
  const uint64_t now = shared_->generation();
  return std::exchange(seen_, now) != now;
}

namespace {

// Returns the fifth field of a line of mountinfo, see proc(5). A space, tab, newline or backslash
// is written as a backslash and three octal digits.
std::string mount_point(std::string_view line) {
  constexpr int kBefore = 4;
  for (int i = 0; i < kBefore; ++i) {
    const size_t blank = line.find(' ');
    if (blank == line.npos) return {};
    line.remove_prefix(blank + 1);
  }
  line = line.substr(0, line.find(' '));
  std::string path;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 3 >= line.size()) {
      path.push_back(line[i]);
      continue;
    }
    const auto digit = [&](size_t at) { return line[i + at] - '0'; };
    path.push_back(static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3)));
    i += 3;
  }
  return path;
}

// Returns the readable part of the table.
std::string table_text() {
  const UniqueFd table(::open(kTable, O_RDONLY | O_CLOEXEC));
  std::string text;
  char piece[4096];
  ssize_t count = 0;
  while (table.valid() && (count = ::read(table.get(), piece, sizeof piece)) > 0) {
    text.append(piece, static_cast<size_t>(count));
  }
  return text;
}

}  // namespace

std::vector<std::string> mounted_below(const std::string& directory) {
  const std::string above = directory + "/";
  const std::string text = table_text();
  std::vector<std::string> found;
  for (size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    const std::string path = mount_point(std::string_view(text).substr(at, end - at));
    if (path.starts_with(above)) found.push_back(path.substr(above.size()));
  }
  return found;
}

}  // namespace resident
