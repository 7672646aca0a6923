#include "watch/linux/mount_table.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/cut_text.h"
#include "base/process_wide.h"
#include "base/thread_annotations.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

constexpr const char* kTable = "/proc/self/mountinfo";

// Decodes a path of proc(5), in which white space and backslashes are three octal digits.
std::string unescaped(std::string_view field) {
  std::string path;
  for (size_t at = 0; at < field.size(); ++at) {
    auto digit = [&](size_t n) { return at + n < field.size() ? field[at + n] - '0' : 8; };
    const bool escape = field[at] == '\\' && digit(1) < 4 && digit(2) < 8 && digit(3) < 8;
    if (escape) {
      path += static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3));
      at += 3;
    } else {
      path += field[at];
    }
  }
  return path;
}

}  // namespace

Result<UniqueFd> open_mount_table() {
  UniqueFd table(::open(kTable, O_RDONLY | O_CLOEXEC));
  if (!table.valid()) return error_from_errno(errno, kTable);
  return table;
}

std::string mount_table_text() {
  std::string text;
  const Result<UniqueFd> table = open_mount_table();
  char piece[4096];
  ssize_t count = 0;
  while (table.ok() && (count = ::read(table->get(), piece, sizeof piece)) > 0) {
    text.append(piece, static_cast<size_t>(count));
  }
  return count < 0 ? std::string() : text;
}

std::vector<Mount> mounts_in(std::string_view text) {
  std::vector<Mount> mounts;
  while (!text.empty()) {
    // Mount id, parent id, device, root directory in the device, mount point, ...
    std::string_view line = cut(text, '\n');
    cut(line, ' ');
    cut(line, ' ');
    std::string_view rest = line;
    cut(rest, ' ');
    cut(rest, ' ');
    const std::string_view point = rest.substr(0, rest.find(' '));
    if (!point.starts_with('/')) continue;
    const size_t before = line.size() - rest.size();
    mounts.push_back({line.substr(0, before + point.size()), unescaped(point)});
  }
  return mounts;
}

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
  RESIDENT_TRY(std::shared_ptr<Shared> shared,
               process_wide<Shared>([]() -> Result<std::shared_ptr<Shared>> {
                 RESIDENT_TRY(UniqueFd table, open_mount_table());
                 return std::make_shared<Shared>(std::move(table));
               }));
  return MountTable(std::move(shared));
}

bool MountTable::changed() {
  const uint64_t now = shared_->generation();
  return std::exchange(seen_, now) != now;
}

std::vector<std::string> mounted_below(const std::string& directory) {
  const std::string above = directory + "/";
  std::vector<std::string> found;
  for (const Mount& mount : mounts_in(mount_table_text())) {
    if (mount.path.starts_with(above)) found.push_back(mount.path.substr(above.size()));
  }
  return found;
}

}  // namespace resident
