// HostWatch: reports changes of the host that no watched directory reports. After such a change,
// the known state of a worktree can be wrong. It reports mounts and unmounts, and suspends: during
// a suspend, other writers to the disk were not watched.
//
// It is exact: take() reports every mount and unmount that returned before the call. It also
// reports every suspend that ended before the call.
//
// Threads: one at a time calls take(). The wake function runs on the HostWaker's thread and must
// not block. It is not called after the destructor.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "watch/linux/host_waker.h"
#include "watch/linux/mount_table.h"

namespace resident {

class HostWatch {
 public:
  // Two clocks since a fixed moment. `awake` stops during a suspend, `all` continues.
  struct Clocks {
    std::function<std::chrono::nanoseconds()> awake;
    std::function<std::chrono::nanoseconds()> all;
  };
  static Clocks system_clocks();

  struct Events {
    bool mounts = false;  // anything was mounted or unmounted, anywhere
    // Not empty: the whole worktree must be checked again, for this reason.
    std::string desync_reason;
  };

  // Watches for the worktree at `root`, a real path. `wake` is called when take() may have news.
  static Result<std::unique_ptr<HostWatch>> open(std::string root, std::function<void()> wake,
                                                 Clocks clocks = system_clocks());
  ~HostWatch();

  // The changes since open() or the last call.
  Events take();

 private:
  HostWatch(std::string root, MountTable mounts, Clocks clocks);

  bool was_suspended();

  const std::string root_;
  const Clocks clocks_;
  MountTable mounts_;
  std::string around_;  // the last result of mounts_around()
  std::chrono::nanoseconds suspended_;

  std::shared_ptr<HostWaker> waker_;
  uint64_t number_ = 0;  // its number in the HostWaker
};

// Returns the mounts that decide the content of the directory `root` (absolute): at it, below it,
// and on its path. One line each. `mountinfo` is the text of that file in proc(5).
std::string mounts_around(std::string_view root, std::string_view mountinfo);

}  // namespace resident
