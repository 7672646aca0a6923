#include "watch/host_watch.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fs/linux/posix_file_system.h"

namespace resident {

namespace {

constexpr const char* kMountInfo = "/proc/self/mountinfo";

// Returns the whole text, or an empty one.
std::string read_mountinfo() {
  Result<std::string> text = posix_file_system().read_file(kMountInfo);
  return text.ok() ? std::move(text).value() : std::string();
}

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

// True if `path` is `directory` or lies below it.
bool is_within(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.starts_with('/');
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace

std::string mounts_around(std::string_view root, std::string_view mountinfo) {
  std::string around;
  while (!mountinfo.empty()) {
    const size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    std::string_view line = mountinfo.substr(0, end);
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    // Mount id, parent id, device, root directory in the device, mount point, ...
    std::array<std::string_view, 5> fields;
    for (std::string_view& field : fields) {
      const size_t space = std::min(line.find(' '), line.size());
      field = line.substr(0, space);
      line.remove_prefix(std::min(space + 1, line.size()));
    }
    const std::string mount_point = unescaped(fields[4]);
    const bool is_around = is_within(mount_point, root) || is_within(root, mount_point);
    if (!mount_point.starts_with('/') || !is_around) continue;
    // Mount ids are reused, so the device and its directory identify the mount.
    for (const std::string_view field : {fields[2], fields[3], fields[4]}) {
      around.append(field).append(" ");
    }
    around.back() = '\n';
  }
  return around;
}

HostWatch::HostWatch(std::string root, MountTable mounts, Clocks clocks)
    : root_(std::move(root)),
      clocks_(std::move(clocks)),
      mounts_(std::move(mounts)),
      around_(mounts_around(root_, read_mountinfo())),
      suspended_(std::chrono::nanoseconds::max()) {
  (void)was_suspended();
}

Result<std::unique_ptr<HostWatch>> HostWatch::open(std::string root, std::function<void()> wake,
                                                   Clocks clocks) {
  RESIDENT_TRY(MountTable mounts, MountTable::open());
  std::unique_ptr<HostWatch> host(
      new HostWatch(std::move(root), std::move(mounts), std::move(clocks)));
  // Without a waker, changes are only noticed by the next take().
  if (Result<std::shared_ptr<HostWaker>> waker = HostWaker::of_process(); waker.ok()) {
    host->waker_ = std::move(waker).value();
    host->number_ = host->waker_->add(std::move(wake));
  }
  return host;
}

HostWatch::~HostWatch() {
  if (waker_) waker_->remove(number_);
}

// The clocks are read one after the other, so their difference is known only within bounds. Only a
// suspend moves the lower bound above the known upper bound.
bool HostWatch::was_suspended() {
  const std::chrono::nanoseconds before = clocks_.awake();
  const std::chrono::nanoseconds all = clocks_.all();
  const std::chrono::nanoseconds after = clocks_.awake();
  const bool suspended = all - after > suspended_;
  if (suspended || all - before < suspended_) suspended_ = all - before;
  return suspended;
}

HostWatch::Events HostWatch::take() {
  Events events;
  events.mounts = mounts_.changed();
  if (events.mounts) {
    std::string around = mounts_around(root_, read_mountinfo());
    if (around.empty() || around != around_) {
      events.desync_reason = "a file system was mounted or unmounted";
    }
    around_ = std::move(around);
  }
  if (was_suspended()) events.desync_reason = "the computer was asleep";
  return events;
}

}  // namespace resident
