// HostWaker: calls its clients when the host may have changed. Such changes are a mount, an
// unmount, and a new wall clock time, as after a resume. One thread and one set of descriptors
// serve the whole process.
//
// Threads: add() and remove() from any thread except the waker's own. The calls run on the waker's
// thread and must not block.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "os/unique_fd.h"

namespace resident {

class HostWaker {
 public:
  static Result<std::shared_ptr<HostWaker>> of_process();
  ~HostWaker();

  uint64_t add(std::function<void()> wake) EXCLUDES(mutex_);
  // No call follows after it returns.
  void remove(uint64_t number) EXCLUDES(mutex_);

 private:
  HostWaker(UniqueFd stop, UniqueFd mounts, UniqueFd clock);
  static Result<std::shared_ptr<HostWaker>> make();
  void run();

  const UniqueFd stop_;
  const UniqueFd mounts_;
  const UniqueFd clock_;  // invalid if the system cannot report clock changes

  Mutex mutex_;
  uint64_t last_number_ GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, std::function<void()>> wakes_ GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace resident
