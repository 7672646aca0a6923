#include "watch/host_watch.h"

#include <string_view>

namespace resident {

namespace {

// True if `path` is `directory` or lies below it.
bool is_within(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.starts_with('/');
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace

std::string mounts_around(std::string_view root, std::string_view mountinfo) {
  std::string around;
  for (const Mount& mount : mounts_in(mountinfo)) {
    if (!is_within(mount.path, root) && !is_within(root, mount.path)) continue;
    around.append(mount.identity).append("\n");
  }
  return around;
}

HostWatch::HostWatch(std::string root, MountTable mounts, Clocks clocks)
    : root_(std::move(root)),
      clocks_(std::move(clocks)),
      mounts_(std::move(mounts)),
      around_(mounts_around(root_, mount_table_text())),
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
    std::string around = mounts_around(root_, mount_table_text());
    if (around.empty() || around != around_) {
      events.desync_reason = "a file system was mounted or unmounted";
    }
    around_ = std::move(around);
  }
  if (was_suspended()) events.desync_reason = "the computer was asleep";
  return events;
}

}  // namespace resident
