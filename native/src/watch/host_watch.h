// HostWatch: tells what happens to the host of which no watched directory tells, and after which
// what was known of a worktree can be wrong: a file system mounted or unmounted, and a suspend,
// during which whoever else can write to the disk was not watched.
//
// Exact: a mount or an unmount that returned before take() is in what it says, and so is a suspend
// that ended before.
//
// Threads: take() from one at a time; the wake function is called on the HostWaker's thread, not
// after the destructor, and must not block.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "watch/host_waker.h"
#include "watch/linux/mount_table.h"

namespace resident {

class HostWatch {
 public:
  // The time since a fixed moment: one stands still while the host is suspended, one goes on.
  struct Clocks {
    std::function<std::chrono::nanoseconds()> awake;
    std::function<std::chrono::nanoseconds()> all;
  };
  static Clocks system_clocks();

  struct Events {
    bool mounts = false;  // something was mounted or unmounted, wherever
    // Non-empty: everything in the worktree is to be looked at again, because of this.
    std::string desync_reason;
  };

  // For the worktree at `root`, a real path. `wake` is called when there may be something to take.
  static Result<std::unique_ptr<HostWatch>> open(std::string root, std::function<void()> wake,
                                                 Clocks clocks = system_clocks());
  ~HostWatch();

  // Since open(), or since it was last called.
  Events take();

 private:
  HostWatch(std::string root, MountTable mounts, Clocks clocks);

  bool was_suspended();

  const std::string root_;
  const Clocks clocks_;
  MountTable mounts_;
  std::string around_;  // mounts_around() as last seen
  std::chrono::nanoseconds suspended_;

  std::shared_ptr<HostWaker> waker_;
  uint64_t number_ = 0;  // among those that it wakes
};

// The mounts that decide what is found in the directory `root` (absolute): at it, below it and on
// the way to it, one line each. `mountinfo` is the text of that file of proc(5).
std::string mounts_around(std::string_view root, std::string_view mountinfo);

}  // namespace resident
